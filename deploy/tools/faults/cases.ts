import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { requestEventQueue } from '#shared/pipeline/queue.ts'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { budgetCase } from './budget-case.ts'
import type { FaultCase, OwnStackCase } from './fault-case.ts'
import { failoverCases, sentinelCase, startWithout } from './failover-cases.ts'
import { launcherCases } from './launcher-cases.ts'
import { sharedFateCases } from './shared-fate-cases.ts'
import type { ServiceStack } from '#tools/stack/service-stack.ts'
import { spoolCases } from './spool-cases.ts'
import { within } from '#tools/process/within.ts'

/** Rows of faults.md that run on the shared stack. Each leaves it intact. */
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
    catchUpMs: 90_000,
    async run(stack, { short }) {
      const [first, second] = stack.workers
      for (let time = 0; time < (short ? 2 : 5); time += 1) {
        const victim = time % 2 === 0 ? first : second
        // Alternately: after an insert whose response is delayed, and at any moment.
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
    async run(stack) {
      // To clients, a slow fsync looks like late responses, one after the other.
      for (let time = 0; time < 12; time += 1) await stack.queueRedis.command('DEBUG', 'SLEEP', '0.4')
      await stack.queueRedis.kill()
      await stack.queueRedis.start()
    },
  },
  {
    row: 6,
    name: 'both Redis frozen',
    isShort: true,
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
    mayFail: true,
    run: (stack) => startWithout(stack, ['redis-state', 'redis-queue', 'clickhouse'], 0),
  },
  {
    row: 8,
    name: 'queue Redis out of memory',
    async run(stack) {
      // Otherwise batches would leave the queue and free memory.
      stack.clickhouseLink.set('reject')
      await stack.queueRedis.command('CONFIG', 'SET', 'maxmemory', '1mb')
      await sleep(6_000)
      const segments = await segmentsIn(stack.dataDir)
      await stack.queueRedis.command('CONFIG', 'SET', 'maxmemory', '0')
      stack.clickhouseLink.set('pass')
      return segments > usualSegments ? [] : [`${segments} segments were spooled`]
    },
  },
  {
    row: 10,
    name: 'ClickHouse down',
    isShort: true,
    async run(stack, { short }) {
      stack.clickhouseLink.set('reject')
      await sleep(short ? 5_000 : 40_000)
      stack.clickhouseLink.set('pass')
    },
  },
  {
    row: 11,
    name: 'ClickHouse responds after the client gave up',
    isShort: true,
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
    mayFail: true,
    async run(stack) {
      const { token } = await stack.newToken('row16 leavers')
      const leave = async () => {
        const stopping = new AbortController()
        const response = await fetch(`${stack.proxyUrl}/api/proxy/v1/chat/completions`, {
          method: 'POST',
          signal: stopping.signal,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'x' }] }),
        })
        await sleep(400)
        stopping.abort()
        await response.text().catch(() => undefined)
        return response.headers.get('x-request-id')
      }
      const ids = await Promise.all(Array.from({ length: 20 }, leave))
      await sleep(6_000)
      const query = `SELECT toString(outcome) AS outcome, toUInt32(count()) AS n FROM request_logs
        WHERE id IN {ids: Array(UUID)} GROUP BY outcome`
      const outcomes = JSON.stringify(await selectRows(stack.clickhouse, query, { ids }))
      return outcomes === '[{"outcome":"client_aborted","n":20}]' ? [] : [`20 clients left, logged as ${outcomes}`]
    },
  },
  {
    row: 20,
    name: 'rolling restart of every role',
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
    async run(stack) {
      const redis = openQueueConsumer({ redisQueueUrl: stack.queueRedis.url })
      const queue = new Queue(requestEventQueue, { connection: redis })
      const before = await stack.pipeline()
      // No proxy accepted this batch, so its events are added to the accepted counter.
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
  budgetCase,
]

export const ownStackCases: OwnStackCase[] = [...launcherCases, sentinelCase]

/** Delays or drops the responses to inserts into a table. Resolves once that has affected two of them. */
async function keepInserts(stack: ServiceStack, mode: 'hold' | 'swallow', table = 'request_logs'): Promise<void> {
  const link = stack.clickhouseLink
  const before = link.kept()
  link.set(mode, `INSERT+INTO+${table}`)
  if (!(await within(15_000, async () => link.kept() >= before + 2, 20)))
    throw new Error(`no insert into ${table} was seen`)
}

/** Even with a healthy queue, a proxy has one segment for writing and one that is being shipped. */
const usualSegments = 2

/** Counted on disk, because a full queue also rejects the proxies' reports. */
async function segmentsIn(dataDir: string): Promise<number> {
  const files = await readdir(join(dataDir, 'spool'), { recursive: true })
  return files.filter((file) => file.endsWith('.segment')).length
}
