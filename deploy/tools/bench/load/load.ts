import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BenchContext } from '#tools/bench/part.ts'
import { type Job, JobResult, type LoadRequest } from './job.ts'
import { findWrk, type FullLoad, runWrk } from './wrk.ts'

export interface Load {
  /** Says what makes the full load. */
  fullLoadBy: string
  full(request: LoadRequest, limits: { connections: number; seconds: number }): Promise<FullLoad>
  run(job: Job): Promise<JobResult>
}

/** Everything that makes load; its own process ends with this one, because its channel closes. */
export async function startLoad(context: BenchContext): Promise<Load> {
  const wrk = await findWrk(context)
  // Without this process's own flags, which would let it end as soon as it is idle.
  const generator = fork(join(import.meta.dirname, 'generator.ts'), { execArgv: [] })
  await once(generator, 'message')
  const run = async (job: Job): Promise<JobResult> => {
    generator.send(job)
    const [result] = await once(generator, 'message')
    return JobResult.parse(result)
  }
  return {
    fullLoadBy: wrk ? 'wrk' : 'undici',
    run,
    async full(request, { connections, seconds }) {
      if (wrk) return runWrk(context, wrk, request, { connections, seconds })
      const { completed, failed } = await run({ ...request, kind: 'closed', connections, seconds })
      return { completed, failed, seconds }
    },
  }
}
