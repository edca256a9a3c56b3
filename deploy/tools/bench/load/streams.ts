import { setTimeout as sleep } from 'node:timers/promises'
import { type Dispatcher, Pool } from 'undici'
import { monotonicMs } from '#tools/bench/clock.ts'
import { Durations } from './histogram.ts'
import type { JobResult, LoadRequest } from './job.ts'

/** Streams do not begin all at once: the proxy is to be measured, not how it takes a burst. */
const startsPerMs = 1

const sentAt = /"content":"(\d+\.\d+)"/g

/** Reads one stream and times its frames by the time that each of them carries. */
class TimedStream implements Dispatcher.DispatchHandler {
  readonly durations: Durations
  readonly ended = Promise.withResolvers<boolean>()
  readonly begun = Promise.withResolvers<boolean>()
  heldBack = 0
  #text = ''

  constructor(durations: Durations) {
    this.durations = durations
  }

  onRequestStart(): void {
    // undici needs it to be there.
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status !== 200) controller.abort(new Error(`status ${status}`))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const now = monotonicMs()
    const text = this.#text + chunk.toString('latin1')
    const end = text.lastIndexOf('\n\n') + 1
    this.#text = text.slice(end)
    const times = [...text.slice(0, end).matchAll(sentAt)].map((match) => Number(match[1]))
    for (const time of times) this.durations.record(now - time)
    // Of frames that come together the last one is in time.
    this.heldBack += Math.max(0, times.length - 1)
    this.begun.resolve(true)
  }

  onResponseEnd(): void {
    this.ended.resolve(true)
  }

  onResponseError(): void {
    this.begun.resolve(false)
    this.ended.resolve(false)
  }
}

let held: Pool | undefined

async function open(
  { url, headers, body, count }: LoadRequest & { count: number },
  pool: Pool,
  durations: Durations,
): Promise<TimedStream[]> {
  const streams: TimedStream[] = []
  for (let index = 0; index < count; index += 1) {
    const stream = new TimedStream(durations)
    streams.push(stream)
    pool.dispatch({ method: 'POST', path: new URL(url).pathname, headers, body }, stream)
    if (index % startsPerMs === 0) await sleep(1)
  }
  return streams
}

/** Opens streams and waits for their end. */
export async function timeStreams(job: LoadRequest & { count: number }): Promise<JobResult> {
  const pool = new Pool(new URL(job.url).origin, { connections: job.count, pipelining: 1 })
  const durations = new Durations()
  const streams = await open(job, pool, durations)
  const failed = await countFailed(streams.map(({ ended }) => ended.promise))
  await pool.destroy()
  return durations.result(
    failed,
    streams.reduce((sum, { heldBack }) => sum + heldBack, 0),
  )
}

/** Opens streams, waits until each has begun, and leaves them open. */
export async function holdStreams(job: LoadRequest & { count: number }): Promise<JobResult> {
  held = new Pool(new URL(job.url).origin, { connections: job.count, pipelining: 1, bodyTimeout: 0 })
  const durations = new Durations()
  const streams = await open(job, held, durations)
  return durations.result(await countFailed(streams.map(({ begun }) => begun.promise)))
}

async function countFailed(streams: Promise<boolean>[]): Promise<number> {
  const successes = await Promise.all(streams)
  return successes.filter((success) => !success).length
}

export function releaseStreams(): void {
  void held?.destroy()
  held = undefined
}
