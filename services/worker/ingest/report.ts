import { hostname } from 'node:os'
import { v7 as uuidv7 } from 'uuid'
import type { WorkerReport } from '#schemas/pipeline.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueShard } from '#core/redis/queue-shards.ts'
import { second } from '#core/units.ts'
import { messageOf } from '#core/errors.ts'
import { createProcessReports } from '#store/redis/process-reports.ts'

const everyMs = 2 * second

/** Number of the latest inserts whose times are reported. */
const remembered = 200

export interface InsertResult {
  rows: number
  ms: number
  error?: unknown
}

/** Reports the work of this worker for the operator's page, and counts the workers that report. */
export function createWorkerReporter({ redis, tag }: QueueShard) {
  const key = pipelineKeys({ tag }).workers
  const reports = createProcessReports({ redis, tag })
  const id = uuidv7()
  const times: number[] = []
  let inserts = 0
  let storedEvents = 0
  let lastError: string | null = null
  let workers = 1

  function toReport(): WorkerReport {
    const sorted = times.toSorted((a, b) => a - b)
    const percentile = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null
    return {
      host: hostname(),
      pid: process.pid,
      at: new Date().toISOString(),
      storedEvents,
      inserts,
      insertP50Ms: percentile(0.5),
      insertP95Ms: percentile(0.95),
      lastError,
    }
  }

  async function report(): Promise<void> {
    if (redis.status !== 'ready') return
    await redis.hset(key, id, JSON.stringify(toReport()))
    workers = (await reports.workers()).filter(({ isSilent }) => !isSilent).length
  }

  const tryToReport = () => void report().catch(() => undefined)
  const timer = setInterval(tryToReport, everyMs)
  tryToReport()

  return {
    noteInsert({ rows, ms, error }: InsertResult): void {
      lastError = error === undefined ? null : messageOf(error).slice(0, 500)
      if (error !== undefined) return
      inserts += 1
      storedEvents += rows
      times.push(Math.round(ms))
      if (times.length > remembered) times.shift()
    },
    /** Workers that report, including this one. */
    workers: () => workers,
    async stop(): Promise<void> {
      clearInterval(timer)
      if (redis.status === 'ready') await redis.hdel(key, id)
    },
  }
}
