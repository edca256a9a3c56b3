import { Worker } from 'node:worker_threads'
import { Pool } from 'undici'
import { monotonicMs } from '#tools/bench/clock.ts'
import { Durations } from './histogram.ts'
import type { Job, JobResult } from './job.ts'

const leadMs = 100

/**
 * Sends requests at a constant rate, however long earlier ones take. Each is timed from when it was due, so a stall
 * counts for every request that it delays (corrected for coordinated omission).
 */
export async function openLoop({
  kind,
  url,
  headers,
  body,
  perSecond,
  seconds,
}: Extract<Job, { perSecond: number }>): Promise<JobResult> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: 1_024, pipelining: 1 })
  const durations = new Durations()
  const count = perSecond * seconds
  const everyMs = 1_000 / perSecond
  const startMs = monotonicMs() + leadMs
  const { promise, resolve } = Promise.withResolvers<void>()
  let failed = 0
  let left = count
  const pacer = new Worker(new URL('pace.ts', import.meta.url), { workerData: { startMs, everyMs, count } })
  pacer.on('message', (index: number) => {
    let succeeded = false
    let isComplete = false
    const complete = () => {
      if (isComplete) return
      isComplete = true
      if (succeeded) durations.record(monotonicMs() - startMs - index * everyMs)
      else failed += 1
      left -= 1
      if (left === 0) resolve()
    }
    pool.dispatch(
      { method: 'POST', path: pathname, headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, status) => void (succeeded = status === 200),
        onResponseData: () => {
          if (kind === 'first-byte') complete()
        },
        onResponseEnd: complete,
        onResponseError: () => {
          succeeded = false
          complete()
        },
      },
    )
  })
  await promise
  await pacer.terminate()
  await pool.destroy()
  return durations.result(failed)
}
