import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { requestEventQueue } from '#shared/pipeline/queue.ts'
import { openQueueConsumer } from '#core/resources.ts'
import type { FaultCase, OwnStackCase } from './fault-case.ts'
import { failoverCases, sentinelCase, startWithout } from './failover-cases.ts'
import { launcherCases } from './launcher-cases.ts'
import { sharedFateCases } from './shared-fate-cases.ts'
import type { ServiceStack } from '#tools/stack/service-stack.ts'
import { spoolCases } from './spool-cases.ts'

/** Rows of faults.md that concern the log pipeline, in an order that leaves the stack whole. */
export const cases: FaultCase[] = [
  {
    row: 1,
    name: 'kill -9 proxy',
    isShort: true,
    mayFail: true,
    async run(stack, { short }) {
      for (let time = 0; time < (short ? 1 : 3); time += 1) {
        await stack.proxy.kill()
        await stack.proxy.start()
        await sleep(1_000)
      }
    },
  },
  {
    row: 2,
    name: 'kill -9 worker around an insert',
    isShort: true,
    mayFail: false,
    catchUpMs: 90_000,
    async run(stack, { short }) {
      const [first, second] = stack.workers
      for (let time = 0; time < (short ? 2 : 5); time += 1) {
        const victim = time % 2 === 0 ? first : second
        // Once after an insert of which none of the two will ever hear, once in the middle of whatever it does.
        if (time % 2 === 0) await keepInserts(stack, 'hold')
        await victim.kill()
        stack.clickhouseLink.set('pass')
        await victim.start()
        await sleep(500)
      }
    },
  },
  {
    row: 4,
    name: 'kill -9 queue Redis',
    isShort: true,
    mayFail: false,
    async run(stack, { short }) {
      for (let time = 0; time < (short ? 1 : 3); time += 1) {
        await stack.queueRedis.kill()
        await sleep(1_000)
        await stack.queueRedis.start()
        await sleep(1_500)
      }
    },
  },
  {
    row: 5,
    name: 'queue Redis on a slow disk, then killed',
    isShort: false,
    mayFail: false,
    async run(stack) {
      // What a slow fsync is to its clients: answers that come late, one after the other.
      for (let time = 0; time < 12; time += 1) await stack.queueRedis.command('DEBUG', 'SLEEP', '0.4')
      await stack.queueRedis.kill()
      await stack.queueRedis.start()
    },
  },
  {
    row: 6,
    name: 'both Redis frozen',
    isShort: true,
    mayFail: false,
    async run(stack, { short }) {
      for (const redis of [stack.stateRedis, stack.queueRedis]) {
        redis.freeze()
        await sleep(short ? 4_000 : 20_000)
        redis.thaw()
        await sleep(500)
      }
    },
  },
  {
    row: 7,
    name: 'start while Redis and ClickHouse are down',
    isShort: false,
    mayFail: true,
    run: (stack) => startWithout(stack, ['redis-state', 'redis-queue', 'clickhouse'], 0),
  },
  {
    row: 8,
    name: 'queue Redis out of memory',
    isShort: false,
    mayFail: false,
    async run(stack) {
      // Nothing may leave the queue meanwhile, or it would make room.
      stack.clickhouseLink.set('refuse')
      await stack.queueRedis.command('CONFIG', 'SET', 'maxmemory', '1mb')
      await sleep(6_000)
      const segments = await segmentsIn(stack.dataDir)
      await stack.queueRedis.command('CONFIG', 'SET', 'maxmemory', '0')
      stack.clickhouseLink.set('pass')
      return segments > spooledAnyway ? [] : [`${segments} segments were spooled`]
    },
  },
  {
    row: 10,
    name: 'ClickHouse down',
    isShort: true,
    mayFail: false,
    async run(stack, { short }) {
      stack.clickhouseLink.set('refuse')
      await sleep(short ? 5_000 : 40_000)
      stack.clickhouseLink.set('pass')
    },
  },
  {
    row: 11,
    name: 'ClickHouse answers after the client gave up',
    isShort: true,
    mayFail: false,
    async run(stack, { short }) {
      for (let time = 0; time < (short ? 4 : 12); time += 1) {
        await keepInserts(stack, 'swallow', time % 2 === 0 ? 'request_logs' : 'request_details')
        stack.clickhouseLink.set('pass')
        await sleep(400)
      }
    },
  },
  {
    row: 16,
    name: 'clients leave in the middle of streams',
    isShort: false,
    mayFail: true,
    async run(stack) {
      const { token } = await stack.newToken('row16 leavers')
      const leave = async () => {
        const stopping = new AbortController()
        const answer = await fetch(`${stack.proxyUrl}/api/proxy/v1/chat/completions`, {
          method: 'POST',
          signal: stopping.signal,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'x' }] }),
        })
        await sleep(400)
        stopping.abort()
        await answer.text().catch(() => undefined)
        return answer.headers.get('x-request-id')
      }
      const ids = await Promise.all(Array.from({ length: 20 }, leave))
      await sleep(6_000)
      const rows = await stack.clickhouse.query({
        query:
          'SELECT toString(outcome) AS outcome, count() AS n FROM request_logs WHERE id IN {ids: Array(UUID)} GROUP BY outcome',
        query_params: { ids },
        format: 'JSONEachRow',
      })
      const outcomes = JSON.stringify(await rows.json())
      return outcomes === '[{"outcome":"client_aborted","n":20}]' ? [] : [`20 clients left, logged as ${outcomes}`]
    },
  },
  {
    row: 20,
    name: 'rolling restart of every role',
    isShort: false,
    mayFail: false,
    entrance: async (stack) => (await stack.balanced()).url,
    async run(stack) {
      const { proxies } = await stack.balanced()
      for (const each of [...stack.workers, stack.api, ...proxies]) {
        await each.stop()
        await each.start()
      }
    },
  },
  {
    row: 21,
    name: 'poisoned and redelivered batches',
    isShort: false,
    mayFail: false,
    async run(stack) {
      const redis = openQueueConsumer({ redisQueueUrl: stack.queueRedis.url })
      const queue = new Queue(requestEventQueue, { connection: redis })
      const before = await stack.pipeline()
      // It was never accepted by a proxy, so it has to be accounted for like one that was.
      await redis.hset('sallyport:accepted', randomUUID(), 3)
      await queue.add('events-3', { version: 1, count: 3, bytes: 9, lines: 'not zstd' }, { jobId: randomUUID() })
      await sleep(3_000)
      const { dead } = await stack.pipeline()
      await queue.close()
      redis.disconnect()
      return dead === before.dead + 3 ? [] : [`${dead - before.dead} dead events instead of 3`]
    },
  },
  ...spoolCases,
  ...failoverCases,
  ...sharedFateCases,
]

export const ownStackCases: OwnStackCase[] = [...launcherCases, sentinelCase]

/** Has inserts into a table done, and their answers held back or lost. Resolves once that has happened. */
async function keepInserts(stack: ServiceStack, mode: 'hold' | 'swallow', table = 'request_logs'): Promise<void> {
  const before = stack.clickhouseLink.kept()
  stack.clickhouseLink.set(mode, `INSERT+INTO+${table}`)
  const deadline = performance.now() + 15_000
  while (stack.clickhouseLink.kept() < before + 2) {
    if (performance.now() > deadline) throw new Error(`no insert into ${table} was seen`)
    await sleep(20)
  }
}

/** A proxy whose queue takes everything has the segment that it writes to, and one that is on its way. */
const spooledAnyway = 2

/** Counted on disk: a queue that is full takes no reports of the proxies either. */
async function segmentsIn(dataDir: string): Promise<number> {
  const files = await readdir(join(dataDir, 'spool'), { recursive: true })
  return files.filter((file) => file.endsWith('.segment')).length
}
