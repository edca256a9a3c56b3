import { setTimeout as sleep } from 'node:timers/promises'
import { residentMib } from '#tools/load/process-stats.ts'
import { type Row, round, yesOrNo } from '#tools/load/report.ts'
import { fillQueue } from './event.ts'
import { type Run, startWorker, stored } from './run.ts'

export const backlog = 1_000_000

/** Simulates a long outage of the worker during which proxies kept accepting requests. */
export async function measureBacklog(run: Run): Promise<Row[]> {
  const pid = await startWorker(run)
  process.kill(pid, 'SIGSTOP')
  const { before, after } = await fillQueue(run.redis, backlog)
  const redisMib = after - before
  const goal = (await stored(run)).events + backlog
  process.kill(pid, 'SIGCONT')
  let workerMib = 0
  const startedAt = performance.now()
  while ((await stored(run)).events < goal && performance.now() - startedAt < 300_000) {
    workerMib = Math.max(workerMib, (await residentMib(pid)) ?? 0)
    await sleep(200)
  }
  const isDrained = (await stored(run)).events === goal
  const seconds = (performance.now() - startedAt) / 1_000
  return [
    ['1,000,000 events waiting: Redis, MiB', round(redisMib, 0), 400, yesOrNo(redisMib <= 400)],
    ['while they drain: worker, MiB', round(workerMib, 0), 300, yesOrNo(workerMib <= 300)],
    ['drained after, s', round(seconds, 0), undefined, yesOrNo(isDrained)],
  ]
}
