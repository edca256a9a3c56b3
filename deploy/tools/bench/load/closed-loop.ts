import { Pool } from 'undici'
import { monotonicMs } from '#tools/bench/clock.ts'
import { Durations } from './histogram.ts'
import type { JobResult, LoadRequest } from './job.ts'

/** As many requests as a number of connections can carry: for machines without `wrk`. */
export async function closedLoop({
  url,
  headers,
  body,
  connections,
  seconds,
}: LoadRequest & { connections: number; seconds: number }): Promise<JobResult> {
  const { origin, pathname: path } = new URL(url)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const durations = new Durations()
  const endsAtMs = monotonicMs() + seconds * 1_000
  let failed = 0
  const loop = async () => {
    for (let since = monotonicMs(); since < endsAtMs; since = monotonicMs()) {
      const answer = await pool.request({ method: 'POST', path, headers, body })
      await answer.body.dump()
      if (answer.statusCode === 200) durations.record(monotonicMs() - since)
      else failed += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, loop))
  await pool.destroy()
  return durations.result(failed)
}
