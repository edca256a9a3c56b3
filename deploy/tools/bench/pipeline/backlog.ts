import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { v7 as uuidv7 } from 'uuid'
import { jobNameOf, packEvents, requestEventQueue } from '#shared/pipeline/queue.ts'
import { mib } from '#core/units.ts'
import { residentMib } from '#tools/load/process-stats.ts'
import { type Row, round } from '#tools/load/report.ts'
import { benchEvent } from './event.ts'
import { type Run, startWorker, stored } from './run.ts'

export const backlog = 1_000_000

/** As if the worker had been down for long while proxies went on accepting requests. */
export async function measureBacklog(run: Run): Promise<Row[]> {
  const pid = await startWorker(run)
  process.kill(pid, 'SIGSTOP')
  const queue = new Queue(requestEventQueue, { connection: run.redis })
  const memory = async () => Number(/used_memory:(\d+)/.exec(await run.redis.info('memory'))?.[1])
  const empty = await memory()
  for (let done = 0; done < backlog; done += 1_000) {
    const events = Array.from({ length: 1_000 }, (_, at) => benchEvent(done + at))
    const options = { jobId: uuidv7(), attempts: 1_000, removeOnComplete: true }
    await queue.add(jobNameOf(events.length), await packEvents(events), options)
  }
  const redisMib = ((await memory()) - empty) / mib
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
  await queue.close()
  return [
    ['1,000,000 events waiting: Redis, MiB', round(redisMib, 0), 400, redisMib <= 400 ? 'yes' : 'no'],
    ['while they drain: worker, MiB', round(workerMib, 0), 300, workerMib <= 300 ? 'yes' : 'no'],
    ['drained after, s', round(seconds, 0), undefined, isDrained ? 'yes' : 'no'],
  ]
}
