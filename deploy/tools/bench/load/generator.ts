/** A process that generates load on request, separate from the orchestrator and the proxy. */
import type { Job, JobResult } from './job.ts'
import { openLoop } from './open-loop.ts'
import { holdStreams, releaseStreams, timeStreams } from './streams.ts'

const nothing: JobResult = { completed: 0, failed: 0, p50: 0, p99: 0, heldBack: 0 }

async function run(job: Job): Promise<JobResult> {
  switch (job.kind) {
    case 'rate':
    case 'first-byte':
      return openLoop(job)
    case 'streams':
      return timeStreams(job)
    case 'hold-streams':
      return holdStreams(job)
    case 'release-streams':
      releaseStreams()
      return nothing
  }
}

process.on('message', (job: Job) => {
  void run(job).then((result) => process.send?.(result))
})
process.send?.('ready')
process.once('disconnect', () => process.exit())
