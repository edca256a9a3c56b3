import { Queue } from 'bullmq'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { whenReady } from '#tools/stack/when-ready.ts'
import { batchJobOptions, jobNameOf, packEvents, requestEventQueue } from '#shared/pipeline/queue.ts'
import type { QueueShard } from '#core/redis/queue-shards.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'
import { hour } from '#core/units.ts'
import { openQueueConsumer, openStateRedis } from '#core/redis/connections.ts'
import type { Redis } from '#core/redis/redis.ts'
import { createTestClickHouse, createTestRedis } from '#tools/test/stores.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { createAccountStateStore } from '#store/redis/account-state.ts'
import { cachedResponsePrefix } from '#store/redis/cached-responses.ts'
import { keyStatesKey } from '#store/redis/key-states.ts'
import { createObjectKeyStore, objectKeysKey } from '#store/redis/object-keys.ts'
import { quotaKey } from '#store/redis/quota-usage.ts'
import { spendingKeys } from '#store/redis/token-spending.ts'
import { countStored } from '#store/clickhouse/logs/stored-logs.fixture.ts'
import { createDeadLetters } from '#store/redis/dead-letters.ts'
import { createDeletedAccountStore } from '#store/clickhouse/deleted-accounts.ts'
import { createPipelineStore } from '#store/clickhouse/pipeline.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { toRows } from '#store/clickhouse/logs/request-log-rows.ts'
import { createRequestLogStore, type RequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import { stallJob } from '../stalled-job.fixture.ts'
import { GroupLedger } from './group-ledger.ts'
import { createUsageMetrics } from './usage-metrics.ts'
import { startEventWorker } from './worker.ts'

const logger = pino({ level: 'silent' })
const store = await createTestClickHouse()
afterAll(() => store.drop())
const logs = createRequestLogStore(store.clickhouse, { logRetentionDays: 90 })
let redisQueueUrl: string
let state: Redis
let redis: Redis
let shard: QueueShard
let queue: Queue
let accountId: string
const started: { stop(): Promise<void> }[] = []

beforeEach(async () => {
  const urls = await createTestRedis()
  redisQueueUrl = urls.redisQueueUrl
  state = openStateRedis(urls, 10_000)
  await whenReady(state)
  redis = openQueueConsumer({ redisQueueUrl })
  shard = { redis, tag: '' }
  queue = new Queue(requestEventQueue, { connection: redis })
  accountId = uuidv7()
})
afterEach(async () => {
  for (const worker of started.splice(0)) await worker.stop()
  await queue.close()
  for (const each of [redis, state]) each.disconnect()
})

/** @param changes to the store for this worker */
function startWorker(changes: Partial<RequestLogStore> = {}) {
  const registry = new Registry()
  const connection = openQueueConsumer({ redisQueueUrl })
  const worker = startEventWorker({
    shards: [{ redis: connection, tag: '' }],
    logs: { ...logs, ...changes },
    deletedAccounts: createDeletedAccountStore(store.clickhouse, { clickhouseCluster: undefined }),
    accountDeletions: { due: async () => [], accountExists: async () => false, complete: async () => undefined },
    accountState: createAccountStateStore(state),
    usage: createUsageMetrics(registry),
    logger,
  })
  const stop = async () => {
    await worker.stop()
    connection.disconnect()
  }
  started.push({ stop })
  return { stop, usage: () => registry.getSingleMetricAsString('sallyport_usage_requests_total') }
}

const events = (count: number, changes: Partial<RequestEvent> = {}) =>
  Array.from({ length: count }, () => requestEvent({ accountId, ...changes }))

async function send(list: readonly unknown[], id: string = uuidv7()): Promise<string> {
  await queue.add(jobNameOf(list.length), await packEvents(list), { ...batchJobOptions, jobId: id })
  return id
}

const stored = () => countStored(store.clickhouse, accountId)

const isDrained = async () =>
  Object.values(await queue.getJobCounts('wait', 'active', 'delayed')).every((count) => count === 0)

const drained = () => expect.poll(isDrained, { timeout: 40_000 }).toBe(true)

const exactly = (count: number) => ({ rows: count, unique: count, rollup: count })

async function expectStored(count: number): Promise<void> {
  await drained()
  expect(await stored()).toEqual(exactly(count))
}

function openDeadLetters() {
  const letters = createDeadLetters([shard])
  onTestFinished(() => letters.close())
  return { ...letters, listAll: () => letters.list({ offset: 0, limit: 10 }) }
}

/** Starts the deletion of the account's logs and cached responses. */
async function deleteAccount(): Promise<void> {
  const deletions = new Queue('account-deletions', { connection: redis })
  await deletions.add('delete-account-logs', { accountId }, { jobId: accountId, removeOnComplete: true })
  await deletions.close()
}

test('batches of several workers are stored once each, also one during which many workers were killed', async () => {
  await stallJob(redis, queue, await send(events(20)))
  startWorker()
  startWorker()
  for (let at = 1; at < 10; at += 1) await send(events(20))
  await expectStored(200)
})

test('a batch that is delivered again after it was stored changes nothing', async () => {
  const { usage } = startWorker()
  const list = events(10)
  const id = await send(list)
  await drained()
  await send(list, id)
  await expectStored(10)
  expect(await usage()).toContain('{model="gpt-4o",status="200"} 10')
})

test('an old batch whose ledger entry has expired is looked up before it is stored, also after a deletion', async () => {
  startWorker()
  const list = [...events(5, { accountId: uuidv7() }), ...events(10)]
  const id = uuidv7({ msecs: Date.now() - 5 * hour })
  await send(list, id)
  await drained()
  await createDeletedAccountStore(store.clickhouse, { clickhouseCluster: undefined }).remove([list[0]!.accountId])
  await redis.del(...(await redis.keys('sallyport:batch:*')), ...(await redis.keys('sallyport:group:*')))
  await send(list, id)
  await send(events(5), uuidv7({ msecs: Date.now() - 5 * hour }))
  await expectStored(15)
})

test('after a worker ended during an insert, the next one repeats the insert with the same rows at once', async () => {
  let inserts = 0
  const dead = startWorker({
    async insert(rows, token) {
      await logs.insert(rows, token)
      inserts += 1
      throw new Error('the response was lost')
    },
  })
  for (let at = 0; at < 3; at += 1) await send(events(20))
  await expect.poll(() => inserts).toBeGreaterThanOrEqual(2)
  await dead.stop()
  expect(await queue.getJobCounts('wait', 'delayed')).toEqual({ wait: 3, delayed: 0 })
  const { usage } = startWorker()
  await expectStored(60)
  expect(await dead.usage()).not.toContain('{')
  expect(await usage()).toContain('{model="gpt-4o",status="200"} 60')
})

test('a batch that two workers have is stored by one of them', async () => {
  const ids = [await send(events(10)), await send(events(10))]
  await new GroupLedger(shard).open(ids)
  await new GroupLedger(shard).open([ids[0]!, await send(events(10))])
  const late = await send(events(10), uuidv7({ msecs: Date.now() - 5 * hour }))
  startWorker({
    async isAnyStored() {
      // The other worker begins with it just now, and dies.
      await new GroupLedger(shard).open([late])
      return false
    },
  })
  await expectStored(40)
})

test.each([
  ['a group', 10],
  ['a group that a dead worker had inserted', 20],
])('of %s, a batch was removed by hand: the other one is stored, and once', async (group, count) => {
  const lists = [events(10), events(10)]
  const ids = [await send(lists[0]!), await send(lists[1]!)]
  const opened = await new GroupLedger(shard).open(ids)
  if (group.endsWith('inserted')) await logs.insert(lists.map(toRows), opened!.id)
  await (await queue.getJob(ids[0]!))!.remove()
  startWorker()
  await expectStored(count)
})

test('while ClickHouse is unavailable, batches wait', async () => {
  let [isAway, rejected] = [true, 0]
  startWorker({
    async insert(rows, token) {
      if (!isAway) return logs.insert(rows, token)
      rejected += 1
      throw new Error('connect ECONNREFUSED')
    },
  })
  const id = await send(events(10))
  await expect.poll(() => rejected).toBeGreaterThan(1)
  expect(await isDrained()).toBe(false)
  expect(Date.parse(await createPipelineStore(store.clickhouse, [shard]).ingestWatermark())).toBe(uuidTimeMs(id))
  isAway = false
  await expectStored(10)
})

test('invalid events go to the dead letters with the reason, the rest of their batch is stored', async () => {
  startWorker()
  const [fine] = events(1)
  const unknown = { ...fine, id: uuidv7(), version: 2 }
  const timeless = { ...fine, id: '00000000-0000-7000-8000-000000000000' }
  const id = await send([unknown, fine, { nonsense: true }, timeless])
  await expectStored(1)
  const letters = openDeadLetters()
  const [letter] = await letters.listAll()
  expect(letter).toMatchObject({ id, kind: 'events', events: 3 })
  expect((await letters.get(id))!.lines.map(({ reason }) => reason)).toEqual([
    'version: Invalid input: expected 1',
    expect.stringMatching(/^version: [^\n]+; id: [^\n]+$/),
    'the time in the id is not plausible',
  ])
  expect(await letters.requeue(id)).toBe(true)
  await drained()
  expect((await letters.listAll()).map((each) => each.id)).toEqual([`${id}-again`])
  expect(await letters.drop(`${id}-again`)).toBe(true)
  expect(await letters.listAll()).toEqual([])
  expect(await letters.requeue(id)).toBe(false)
})

test('an unreadable batch is kept, and the others are stored', async () => {
  startWorker()
  const id = uuidv7()
  await queue.add(jobNameOf(7), { version: 1, count: 7, bytes: 9, lines: 'AAAA' }, { jobId: id })
  await send(events(10))
  await expectStored(10)
  const letters = openDeadLetters()
  expect(await letters.listAll()).toMatchObject([{ id, kind: 'batch', events: 7 }])
})

const rejection = Object.assign(new Error('Cannot parse input'), { code: '27' })

test('rows that ClickHouse rejects permanently are kept as dead letters, and can be requeued', async () => {
  const first = startWorker({ insert: () => Promise.reject(rejection) })
  const id = await send(events(10))
  const letters = openDeadLetters()
  await expect.poll(() => letters.listAll()).toHaveLength(1)
  await first.stop()
  startWorker()
  await letters.requeue(id)
  await expectStored(10)
})

const keysOf = (id: string) => {
  const others = ['sallyport:idempotency:', 'sallyport:throttle:change:'].map((prefix) => `${prefix}${id}`)
  const cached = Array.from({ length: 1_500 }, (_, index) => `${cachedResponsePrefix(id)}${index}`)
  return [...cached, keyStatesKey(id), quotaKey(id, '2026-11'), spendingKeys(id, 'token', 0).month, ...others]
}

test('row 67: nothing in the state Redis names a deleted account, and all that names others stays', async () => {
  const other = uuidv7()
  for (const key of [accountId, other].flatMap(keysOf)) void state.set(key, 'x')
  for (const id of [accountId, other]) await createObjectKeyStore(state).remember(id, [{ objectId: 'f', makerId: id }])
  startWorker()
  await deleteAccount()
  await expect.poll(() => state.keys(`*${accountId}*`), { timeout: 20_000 }).toEqual([])
  expect(await state.zrange('object-key-accounts', '0', '-1')).toEqual([other])
  expect(await state.hgetall('object-key-counts')).toEqual({ [other]: '1', total: '1' })
  expect(await state.exists(...keysOf(other), objectKeysKey(other))).toBe(keysOf(other).length + 1)
})

test('the logs of a deleted account are removed, also those that ClickHouse rejected until then or that come later, and no others', async () => {
  let isRejected = false
  startWorker({ insert: (rows, token) => (isRejected ? Promise.reject(rejection) : logs.insert(rows, token)) })
  const removed = () => expect.poll(stored, { timeout: 60_000, interval: 200 }).toEqual(exactly(0))
  const other = uuidv7()
  await send([...events(10), ...events(5, { accountId: other })])
  await drained()
  isRejected = true
  const id = await send(events(10))
  const letters = openDeadLetters()
  await expect.poll(() => letters.listAll(), { timeout: 20_000 }).toHaveLength(1)
  await deleteAccount()
  await removed()
  isRejected = false
  await letters.requeue(id)
  await drained()
  await removed()
  await send(events(3))
  await drained()
  await removed()
  accountId = other
  expect(await stored()).toEqual(exactly(5))
}, 200_000)
