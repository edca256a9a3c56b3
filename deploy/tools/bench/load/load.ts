import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BenchContext } from '#tools/bench/part.ts'
import { type Job, JobResult, type LoadRequest } from './job.ts'
import { findWrk, type FullLoad, runWrk } from './wrk.ts'

export interface Load {
  full(request: LoadRequest, limits: { connections: number; seconds: number }): Promise<FullLoad>
  run(job: Job): Promise<JobResult>
}

/** `wrk`, and a process that generates all other load. That process ends with this one, because its channel closes. */
export async function startLoad(context: BenchContext): Promise<Load> {
  const wrk = await findWrk(context)
  // Drops this process's flags, which would make the child exit as soon as it is idle.
  const generator = fork(join(import.meta.dirname, 'generator.ts'), { execArgv: [] })
  await once(generator, 'message')
  const run = async (job: Job): Promise<JobResult> => {
    generator.send(job)
    const [result] = await once(generator, 'message')
    return JobResult.parse(result)
  }
  return { run, full: (request, limits) => runWrk(context, wrk, request, limits) }
}
