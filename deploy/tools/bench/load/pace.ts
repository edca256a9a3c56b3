/**
 * A thread that reports when the next request is due. Event loop timers have a resolution of a millisecond at best; a
 * sleeping thread wakes up within tens of microseconds.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { monotonicMs } from '#tools/bench/clock.ts'

const Pace = z.object({ startMs: z.number(), everyMs: z.number(), count: z.number() })
const { startMs, everyMs, count } = Pace.parse(workerData)
const never = new Int32Array(new SharedArrayBuffer(4))

for (let index = 0; index < count; index += 1) {
  const waitMs = startMs + index * everyMs - monotonicMs()
  if (waitMs > 0) Atomics.wait(never, 0, 0, waitMs)
  parentPort?.postMessage(index)
}
