import { hostname } from 'node:os'
import { v7 as uuidv7 } from 'uuid'
import type { WorkerReport } from '#schemas/pipeline.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueShard } from '#core/redis/queue-shards.ts'
import { second } from '#core/units.ts'
import { messageOf } from '#core/errors.ts'

const everyMs = 2 * second

/** The reported times are of so many latest inserts. */
const remembered = 200

export interface InsertResult {
  rows: number
  ms: number
  error?: unknown
}

/** Reports the work of this worker, for the operator's page. */
export function createWorkerReporter({ redis, tag }: QueueShard): {
  noteInsert(result: InsertResult): void
  stop(): Promise<void>
} {
  const key = pipelineKeys({ tag }).workers
  const id = uuidv7()
  const times: number[] = []
  let inserts = 0
  let storedEvents = 0
  let lastError: string | null = null

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

  function report(): void {
    if (redis.status !== 'ready') return
    redis.hset(key, id, JSON.stringify(toReport())).catch(() => undefined)
  }

  const timer = setInterval(report, everyMs)
  report()

  return {
    noteInsert({ rows, ms, error }) {
      lastError = error === undefined ? null : messageOf(error).slice(0, 500)
      if (error !== undefined) return
      inserts += 1
      storedEvents += rows
      times.push(Math.round(ms))
      if (times.length > remembered) times.shift()
    },
    async stop() {
      clearInterval(timer)
      if (redis.status === 'ready') await redis.hdel(key, id)
    },
  }
}
