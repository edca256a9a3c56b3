import { Worker } from 'node:worker_threads'
import { type Dispatcher, Pool } from 'undici'
import { monotonicMs } from '#tools/bench/clock.ts'
import { Durations } from './histogram.ts'
import type { JobResult, LoadRequest } from './job.ts'

const leadMs = 100

/**
 * Requests at a constant rate, whatever becomes of the ones before. Each is timed from the moment at which it was due,
 * so a stall counts for everyone who would have waited: corrected for coordinated omission.
 */
export async function openLoop(
  { url, headers, body, perSecond, seconds }: LoadRequest & { perSecond: number; seconds: number },
  until: 'end' | 'first-byte',
): Promise<JobResult> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: 1_024, pipelining: 1 })
  const durations = new Durations()
  const count = perSecond * seconds
  const everyMs = 1_000 / perSecond
  const startMs = monotonicMs() + leadMs
  const { promise, resolve } = Promise.withResolvers<void>()
  let failed = 0
  let left = count
  const complete = (dueMs: number, succeeded: boolean) => {
    if (succeeded) durations.record(monotonicMs() - dueMs)
    else failed += 1
    left -= 1
    if (left === 0) resolve()
  }
  const pacer = new Worker(new URL('pace.ts', import.meta.url), { workerData: { startMs, everyMs, count } })
  pacer.on('message', (index: number) => {
    const dueMs = startMs + index * everyMs
    pool.dispatch({ method: 'POST', path: pathname, headers, body }, new Timed(dueMs, until, complete))
  })
  await promise
  await pacer.terminate()
  await pool.destroy()
  return durations.result(failed)
}

class Timed implements Dispatcher.DispatchHandler {
  readonly #dueMs: number
  readonly #until: 'end' | 'first-byte'
  readonly #complete: (dueMs: number, succeeded: boolean) => void
  #succeeded = false
  #isComplete = false

  constructor(dueMs: number, until: 'end' | 'first-byte', complete: (dueMs: number, succeeded: boolean) => void) {
    this.#dueMs = dueMs
    this.#until = until
    this.#complete = complete
  }

  onRequestStart(): void {
    // undici needs it to be there.
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#succeeded = status === 200
  }

  onResponseData(): void {
    if (this.#until === 'first-byte') this.#finish(this.#succeeded)
  }

  onResponseEnd(): void {
    this.#finish(this.#succeeded)
  }

  onResponseError(): void {
    this.#finish(false)
  }

  #finish(succeeded: boolean): void {
    if (this.#isComplete) return
    this.#isComplete = true
    this.#complete(this.#dueMs, succeeded)
  }
}
