import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { monotonicMs } from '#tools/bench/clock.ts'
import { Durations } from './histogram.ts'
import type { JobResult, LoadRequest } from './job.ts'

type StreamJob = LoadRequest & { count: number }

const sentAt = /"content":"(\d+\.\d+)"/g

interface TimedStream {
  begun: Promise<boolean>
  ended: Promise<boolean>
  heldBack: number
}

/** Opens one stream and times its frames by their timestamps. */
function openStream({ url, headers, body }: LoadRequest, pool: Pool, durations: Durations): TimedStream {
  const begun = Promise.withResolvers<boolean>()
  const ended = Promise.withResolvers<boolean>()
  const stream = { begun: begun.promise, ended: ended.promise, heldBack: 0 }
  let rest = ''
  pool.dispatch(
    { method: 'POST', path: new URL(url).pathname, headers, body },
    {
      onRequestStart: () => undefined,
      onResponseStart: (controller, status) => {
        if (status !== 200) controller.abort(new Error(`status ${status}`))
      },
      onResponseData: (_controller, chunk) => {
        const now = monotonicMs()
        const text = rest + chunk.toString('latin1')
        const end = text.lastIndexOf('\n\n') + 1
        rest = text.slice(end)
        const times = [...text.slice(0, end).matchAll(sentAt)].map((match) => Number(match[1]))
        for (const time of times) durations.record(now - time)
        // Of frames that arrive together, only the last one is on time.
        stream.heldBack += Math.max(0, times.length - 1)
        begun.resolve(true)
      },
      onResponseEnd: () => ended.resolve(true),
      onResponseError: () => {
        begun.resolve(false)
        ended.resolve(false)
      },
    },
  )
  return stream
}

let openPool: Pool | undefined

async function open(job: StreamJob, pool: Pool, durations: Durations): Promise<TimedStream[]> {
  const streams: TimedStream[] = []
  for (let index = 0; index < job.count; index += 1) {
    streams.push(openStream(job, pool, durations))
    // Avoids a burst of new connections, which is not being measured.
    await sleep(1)
  }
  return streams
}

/** Opens streams and waits for their end. */
export async function timeStreams(job: StreamJob): Promise<JobResult> {
  const pool = new Pool(new URL(job.url).origin, { connections: job.count, pipelining: 1 })
  const durations = new Durations()
  const streams = await open(job, pool, durations)
  const failed = await countFailed(streams.map(({ ended }) => ended))
  await pool.destroy()
  return durations.result(
    failed,
    streams.reduce((sum, { heldBack }) => sum + heldBack, 0),
  )
}

/** Opens streams, waits until each has begun, and leaves them open. */
export async function holdStreams(job: StreamJob): Promise<JobResult> {
  openPool = new Pool(new URL(job.url).origin, { connections: job.count, pipelining: 1, bodyTimeout: 0 })
  const durations = new Durations()
  const streams = await open(job, openPool, durations)
  return durations.result(await countFailed(streams.map(({ begun }) => begun)))
}

async function countFailed(streams: Promise<boolean>[]): Promise<number> {
  const successes = await Promise.all(streams)
  return successes.filter((success) => !success).length
}

export function releaseStreams(): void {
  void openPool?.destroy()
  openPool = undefined
}
