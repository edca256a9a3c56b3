import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { v7 as uuidv7 } from 'uuid'
import { fillQueue } from '#tools/bench/pipeline/event.ts'
import { residentMib } from '#tools/load/process-stats.ts'
import type { FaultCase } from './fault-case.ts'
import { Load } from '#tools/load/load.ts'
import { compareWithLedger } from './compare-with-ledger.ts'
import type { ServiceStack } from '#tools/stack/service-stack.ts'

/** Faults of disks, and a large backlog. */
export const spoolCases: FaultCase[] = [
  {
    row: 9,
    name: 'queue Redis with a full disk',
    async run(stack) {
      // Replaces its disk by a full file system: with `appendfsync always`, Redis then exits.
      const { dir } = stack.queueRedis
      await stack.queueRedis.stop()
      const moved = `${dir}-aside`
      await execa('mv', [dir, moved])
      await mkdir(dir)
      await execa('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', dir])
      try {
        await execa('cp', ['-a', `${moved}/.`, dir])
        await stack.queueRedis.start()
        await execa('sh', ['-c', `head -c 6m /dev/zero > ${join(dir, 'filler')}`], { reject: false })
        await sleep(5_000)
        await rm(join(dir, 'filler'))
        await stack.queueRedis.stop()
        await execa('sh', ['-c', `cp -a ${dir}/. ${moved}/`])
      } finally {
        await execa('umount', [dir])
        await rm(dir, { recursive: true })
        await execa('mv', [moved, dir])
        await stack.queueRedis.start()
      }
    },
  },
  { row: 13, name: 'spool disk full', run: fillSpool },
  { row: 19, name: 'backlog of 1,000,000 events', rate: 20, catchUpMs: 240_000, run: pileUp },
]

/** Runs a separate proxy with its spool on a small file system, while the queue is down. */
async function fillSpool(stack: ServiceStack): Promise<string[]> {
  const dataDir = join(stack.dataDir, 'small')
  await mkdir(dataDir)
  await execa('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', dataDir])
  const problems: string[] = []
  try {
    const { process, port } = await stack.service('proxy', { DATA_DIR: dataDir })
    await process.start()
    const { id, token } = await stack.newToken('row13 small disk')
    stack.queueRedis.freeze()
    const load = new Load({ url: `http://127.0.0.1:${port}`, token, rate: 150, name: 'row13-small' })
    await sleep(12_000)
    stack.queueRedis.thaw()
    await sleep(6_000)
    const ledger = await load.stop()
    const comparison = await compareWithLedger(stack, id, ledger, 15_000)
    if (!ledger.some(({ status }) => status === 503)) problems.push('no request was rejected')
    if (ledger.some(({ status }) => status !== undefined && status >= 500 && status !== 503))
      problems.push('other errors')
    if (ledger.at(-1)?.status !== 200) problems.push('it did not recover')
    if (!process.output().includes('the spool is filling up')) problems.push('no alert')
    if (comparison.lost + comparison.duplicated + Math.abs(comparison.rollupDifference) > 0)
      problems.push(JSON.stringify(comparison))
    await process.stop()
  } finally {
    await execa('umount', ['-l', dataDir])
  }
  return problems
}

const backlogEvents = 1_000_000
const mostRedisMib = 400
const mostWorkerMib = 300

/** Simulates a long outage of all workers during which proxies kept accepting requests. */
async function pileUp(stack: ServiceStack): Promise<string[]> {
  for (const worker of stack.workers) await worker.stop()
  const redis = openQueueConsumer({ redisQueueUrl: stack.queueRedis.url })
  await redis.hset('sallyport:accepted', uuidv7(), backlogEvents)
  const { after: redisMib } = await fillQueue(redis, backlogEvents)
  redis.disconnect()
  await Promise.all(stack.workers.map((worker) => worker.start()))
  const workerMib = await largestWorkerUntilDrained(stack)
  console.log(`  Redis ${Math.round(redisMib)} MiB, the larger worker ${Math.round(workerMib)} MiB`)
  return [
    ...(redisMib > mostRedisMib ? [`Redis took ${Math.round(redisMib)} MiB`] : []),
    ...(workerMib > mostWorkerMib ? [`a worker took ${Math.round(workerMib)} MiB`] : []),
  ]
}

/** @returns the maximum memory of one worker until the queue was empty, MiB */
async function largestWorkerUntilDrained(stack: ServiceStack): Promise<number> {
  const deadline = performance.now() + 240_000
  let largest = 0
  for (let queued = 1; queued > 0 && performance.now() < deadline;) {
    const pipeline = await stack.pipeline()
    queued = pipeline.queued
    for (const { pid, isSilent } of pipeline.workers)
      if (!isSilent) largest = Math.max(largest, (await residentMib(pid)) ?? 0)
    await sleep(500)
  }
  return largest
}
