import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { whenReady } from '#tools/stack/when-ready.ts'
import { readConfig } from '#core/config.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import { jobNameOf, requestEventQueue } from '#shared/pipeline/queue.ts'
import { newBatchId, type QueueShard, type QueueShards, queueOptions } from '#core/redis/queue-shards.ts'
import { openQueueConsumer, openQueueProducer, openQueueShards } from '#core/redis/connections.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { createTestClickHouse, type TestClickHouse } from '#tools/test/stores.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { claimFolder } from '#proxy/spool/folders.ts'
import { createPublisher } from '#proxy/spool/publish.ts'
import { createProxyReporter } from '#proxy/spool/report.ts'
import { Shipper } from '#proxy/spool/shipper.ts'
import { Spool } from '#proxy/spool/spool.ts'
import { countStored } from '#store/clickhouse/logs/stored-logs.fixture.ts'
import { createDeadLetters } from '#store/redis/dead-letters.ts'
import { createDeletedAccountStore } from '#store/clickhouse/deleted-accounts.ts'
import { createPipelineStore } from '#store/clickhouse/pipeline.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { createRequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import { createUsageMetrics } from '#worker/ingest/usage-metrics.ts'
import { startEventWorker } from '#worker/ingest/worker.ts'
import { startRedisCluster } from '#tools/stack/redis-cluster.ts'
import { createRedisProcess, type RedisProcess } from '#tools/stack/redis-process.ts'

const logger = pino({ level: 'silent' })

const program = findCommand(['redis-server', 'valkey-server'])!

let store: TestClickHouse
let folder: string
/** Cleanup of a test, run in reverse order. */
const started: (() => unknown)[] = []

beforeAll(async () => void (store = await createTestClickHouse()))
afterAll(() => store.drop())
beforeEach(() => void (folder = temporaryFolder()))
afterEach(async () => {
  for (const stop of started.splice(0).toReversed()) await stop()
})

async function startServers(count: number, settings: Record<string, string> = {}): Promise<RedisProcess[]> {
  const servers: RedisProcess[] = []
  for (let at = 0; at < count; at += 1) {
    const server = await createRedisProcess(program, join(folder, `redis-${at}`), settings)
    await server.start()
    started.push(() => server.stop())
    servers.push(server)
  }
  return servers
}

function openQueue(shard: QueueShard): Queue {
  const queue = new Queue(requestEventQueue, queueOptions(shard))
  started.push(() => queue.close())
  return queue
}

async function openShards(urls: string[], count: number, open: typeof openQueueProducer): Promise<QueueShards> {
  const config = readConfig({
    REDIS_QUEUE_URL: urls.join(','),
    QUEUE_SHARDS: String(count),
    POSTGRES_URL: 'postgres://unused',
    REDIS_STATE_URL: 'redis://unused',
    MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    SESSION_SECRET: 'a secret of at least thirty-two characters',
  })
  const shards = openQueueShards(config, open)
  const servers = new Set(shards.map(({ redis }) => redis))
  await Promise.all(
    [...servers].map(async (redis) => {
      redis.on('error', () => undefined)
      started.push(() => redis.disconnect())
      await whenReady(redis)
    }),
  )
  return shards
}

/** Starts a proxy's spool and shipper, a worker and the operator's pipeline store, on the shards at these URLs. */
async function startPipeline(urls: string[], count: number) {
  const producer = await openShards(urls, count, openQueueProducer)
  const consumer = await openShards(urls, count, openQueueConsumer)
  const worker = startEventWorker({
    shards: consumer,
    logs: createRequestLogStore(store.clickhouse, { logRetentionDays: 90 }),
    deletedAccounts: createDeletedAccountStore(store.clickhouse, { clickhouseCluster: undefined }),
    accountDeletions: { due: async () => [], accountExists: async () => false, complete: async () => undefined },
    accountState: { removeAll: async () => undefined },
    usage: createUsageMetrics(new Registry()),
    logger,
  })
  const root = join(folder, 'spool')
  const claimed = claimFolder(root)
  const spool = new Spool(claimed.path, { maxBytes: 2 ** 30, shards: count })
  const { publish, close } = createPublisher(producer)
  const reporter = createProxyReporter(producer[0], spool, claimed.proxyId)
  const shipper = new Shipper({ spool, root, shards: count, publish, reporter, logger })
  shipper.start()
  started.push(
    () => worker.stop(),
    () => claimed.release(),
    () => close(),
    () => shipper.stop(),
  )
  return { spool, producer, pipeline: createPipelineStore(store.clickhouse, producer) }
}

/** Records requests one by one, spread over several batches. */
async function recordRequests(spool: Spool, accountId: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const event = requestEvent({ accountId, id: uuidv7() })
    spool.end(event, spool.begin(event))
    await sleep(20)
  }
}

const stored = (accountId: string) => countStored(store.clickhouse, accountId)

const exactly = (count: number) => ({ rows: count, unique: count, rollup: count })
const portOf = (node: RedisProcess) => new URL(node.url).port
const patience = { timeout: 60_000, interval: 200 }

test('three shards on two servers: one is killed and comes back, nothing is lost or stored twice', async () => {
  const [first, second] = await startServers(2)
  const { spool, producer, pipeline } = await startPipeline([first!.url, second!.url], 3)
  const accountId = uuidv7()
  expect(producer.map(({ tag }) => tag)).toEqual(['', '{logs-1}:', '{logs-2}:'])

  await recordRequests(spool, accountId, 200)
  await expect.poll(() => stored(accountId), patience).toEqual(exactly(200))
  const before = await pipeline.ingestWatermark()
  await second!.kill()
  await recordRequests(spool, accountId, 300)
  // The dead shard's batches wait in the spool; those of the others are shipped.
  await expect.poll(async () => (await stored(accountId)).rows, patience).toBeGreaterThan(300)
  await expect.poll(() => spool.events, patience).toBeLessThan(200)
  expect(spool.events).toBeGreaterThan(0)
  await expect(pipeline.ingestWatermark()).rejects.toThrow()
  await expect(pipeline.read()).rejects.toMatchObject({ code: 'unavailable' })

  await second!.start()
  await recordRequests(spool, accountId, 100)
  await expect.poll(() => stored(accountId), patience).toEqual(exactly(600))
  await expect
    .poll(() => pipeline.read(), patience)
    .toMatchObject({ accepted: 600, queued: 0, spooled: 0, dead: 0, workers: [{ storedEvents: 600 }] })
  expect((await pipeline.ingestWatermark()) > before).toBe(true)
}, 180_000)

test('two shards on one server: a batch that can not be read is kept, shown and dropped where it is', async () => {
  const [server] = await startServers(1)
  const { spool, producer, pipeline } = await startPipeline([server!.url], 2)
  // Events stored by earlier tests were accepted in another Redis.
  const { difference } = await pipeline.read()
  const accountId = uuidv7()
  await recordRequests(spool, accountId, 100)
  const poisoned = producer.map((shard, index) => ({ id: newBatchId(index), queue: openQueue(shard) }))
  for (const { id, queue } of poisoned)
    await queue.add(jobNameOf(3), { version: 1, count: 3, bytes: 9, lines: 'AAAA' }, { jobId: id })
  // No proxy accepted these.
  await producer[0].redis.hset(pipelineKeys(producer[0]).accepted, 'test', 6)

  const letters = createDeadLetters(producer)
  started.push(() => letters.close())
  const shown = async () => (await letters.list({ offset: 0, limit: 10 })).map(({ id }) => id).toSorted()
  await expect.poll(shown, patience).toEqual(poisoned.map(({ id }) => id).toSorted())
  await expect.poll(() => stored(accountId), patience).toEqual(exactly(100))
  await expect.poll(() => pipeline.read(), patience).toMatchObject({ dead: 6, difference })
  const [first, second] = poisoned
  expect(await letters.drop(second!.id)).toBe(true)
  expect(await letters.requeue(first!.id)).toBe(true)
  await expect.poll(shown, patience).toEqual([first!.id])
  await expect.poll(() => pipeline.read(), patience).toMatchObject({ dead: 3, droppedDead: 3, difference })
}, 120_000)

test('four shards in a Redis Cluster of three nodes, one of which is down for a while', async () => {
  const { url, nodes, stop } = await startRedisCluster(program, folder)
  started.push(stop)
  const { spool, producer, pipeline } = await startPipeline([url], 4)
  expect(producer.map(({ tag }) => tag)).toEqual(['{logs-0}:', '{logs-1}:', '{logs-2}:', '{logs-3}:'])
  const accountId = uuidv7()
  await recordRequests(spool, accountId, 200)
  await expect.poll(() => stored(accountId), patience).toEqual(exactly(200))
  await nodes[2]!.kill()
  await recordRequests(spool, accountId, 200)
  await nodes[2]!.start()
  await expect.poll(() => stored(accountId), patience).toEqual(exactly(400))
  await expect.poll(() => pipeline.read(), patience).toMatchObject({ accepted: 400, queued: 0, spooled: 0, dead: 0 })
}, 180_000)

test('connecting succeeds although slots of the Redis Cluster are unassigned', async () => {
  const [node] = await startServers(1, { 'cluster-enabled': 'yes', 'cluster-announce-ip': '127.0.0.1' })
  await node!.command('CLUSTER', 'ADDSLOTS', '0')
  const [{ redis }] = await openShards([`redis+cluster://127.0.0.1:${portOf(node!)}`], 1, openQueueConsumer)
  redis.disconnect()
  await once(redis, 'end')
  await redis.connect()
  expect(redis.status).toBe('ready')
})
