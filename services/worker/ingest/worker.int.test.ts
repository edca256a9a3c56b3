import { Queue } from 'bullmq'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { whenReady } from '#tools/stack/when-ready.ts'
import { jobNameOf, packEvents, requestEventQueue } from '#shared/pipeline/queue.ts'
import type { QueueRedis, QueueShard } from '#core/redis/queue-shards.ts'
import { openQueueConsumer, openStateRedis, type Redis } from '#core/resources.ts'
import { createTestClickHouse, createTestRedis, type TestClickHouse } from '#tools/test/stores.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { cachedAnswerPrefix, createCachedAnswerStore } from '#store/redis/cached-answers.ts'
import { countStored } from '#store/clickhouse/stored-logs.fixture.ts'
import { createDeadLetters } from '#store/redis/dead-letters.ts'
import { createDeletedAccountStore } from '#store/clickhouse/deleted-accounts.ts'
import { requestEvent } from '#store/clickhouse/request-event.fixture.ts'
import { createRequestLogStore, type RequestLogStore } from '#store/clickhouse/request-logs.ts'
import { readBatch } from './batch-reader.ts'
import { GroupLedger } from './group-ledger.ts'
import { startEventWorker } from './worker.ts'

const logger = pino({ level: 'silent' })

let store: TestClickHouse
let redisQueueUrl: string
let state: Redis
let redis: QueueRedis
let shard: QueueShard
let queue: Queue
let accountId: string
const started: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  store = await createTestClickHouse()
})
afterAll(() => store.drop())

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
  redis.disconnect()
  state.disconnect()
})

/** @param changes what this worker's ClickHouse does differently */
function startWorker(changes: Partial<RequestLogStore> = {}): { stop(): Promise<void> } {
  const connection = openQueueConsumer({ redisQueueUrl })
  const worker = startEventWorker({
    shards: [{ redis: connection, tag: '' }],
    logs: { ...createRequestLogStore(store.clickhouse, { logRetentionDays: 90 }), ...changes },
    deletedAccounts: createDeletedAccountStore(store.clickhouse, { clickhouseCluster: undefined }),
    cachedAnswers: createCachedAnswerStore(state),
    logger,
  })
  const stop = async () => {
    await worker.stop()
    connection.disconnect()
  }
  started.push({ stop })
  return { stop }
}

const events = (count: number, changes: Partial<RequestEvent> = {}) =>
  Array.from({ length: count }, () => requestEvent({ accountId, ...changes }))

async function send(list: readonly unknown[], id: string = uuidv7()): Promise<string> {
  await queue.add(jobNameOf(list.length), await packEvents(list), {
    jobId: id,
    attempts: Number.MAX_SAFE_INTEGER,
    backoff: { type: 'fixed', delay: 100 },
    removeOnComplete: true,
  })
  return id
}

const stored = () => countStored(store.clickhouse, accountId)

const isDrained = async () =>
  Object.values(await queue.getJobCounts('wait', 'active', 'delayed')).every((count) => count === 0)

async function drained(): Promise<void> {
  await expect.poll(isDrained, { timeout: 40_000 }).toBe(true)
}

const exactly = (count: number) => ({ rows: count, unique: count, rollup: count })

test('batches of several workers are stored once each', async () => {
  startWorker()
  startWorker()
  for (let at = 0; at < 20; at += 1) await send(events(50))
  await drained()
  expect(await stored()).toEqual(exactly(1_000))
})

test('a batch that is brought again after it was stored changes nothing', async () => {
  startWorker()
  const list = events(10)
  const id = await send(list)
  await drained()
  await send(list, id)
  await drained()
  expect(await stored()).toEqual(exactly(10))
})

test('an old batch that the ledger has forgotten is looked up before it is stored', async () => {
  startWorker()
  const list = events(10)
  const id = uuidv7({ msecs: Date.now() - 5 * 3_600_000 })
  await send(list, id)
  await drained()
  await redis.del(...(await redis.keys('sallyport:batch:*')), ...(await redis.keys('sallyport:group:*')))
  await send(list, id)
  await send(events(5), uuidv7({ msecs: Date.now() - 5 * 3_600_000 }))
  await drained()
  expect(await stored()).toEqual(exactly(15))
})

test('a worker that dies after the insert leaves a group that the next one repeats to the same rows', async () => {
  const dying = createRequestLogStore(store.clickhouse, { logRetentionDays: 90 })
  let inserts = 0
  const dead = startWorker({
    async insert(rows, token) {
      await dying.insert(rows, token)
      inserts += 1
      throw new Error('the answer never came')
    },
  })
  for (let at = 0; at < 3; at += 1) await send(events(20))
  await expect.poll(() => inserts).toBeGreaterThanOrEqual(2)
  await dead.stop()
  startWorker()
  await drained()
  expect(await stored()).toEqual(exactly(60))
})

test('a batch in two workers’ hands is stored by one of them', async () => {
  const ids = [await send(events(10)), await send(events(10))]
  const ledger = new GroupLedger(shard)
  const first = await ledger.open(ids)
  expect(first?.batchIds).toEqual(ids)
  const third = await send(events(10))
  const second = await ledger.open([ids[0]!, third])
  expect(second?.batchIds).toEqual([third])
  expect(await ledger.open(ids)).toBeUndefined()
  startWorker()
  await drained()
  expect(await stored()).toEqual(exactly(30))
})

test('a group of which a batch was removed by hand does not hold the others', async () => {
  const ids = [await send(events(10)), await send(events(10))]
  await new GroupLedger(shard).open(ids)
  await (await queue.getJob(ids[0]!))!.remove()
  startWorker()
  await drained()
  expect(await stored()).toEqual(exactly(10))
})

test('ClickHouse away: batches wait as long as it takes', async () => {
  let isAway = true
  const real = createRequestLogStore(store.clickhouse, { logRetentionDays: 90 })
  startWorker({
    insert: (rows, token) => (isAway ? Promise.reject(new Error('connect ECONNREFUSED')) : real.insert(rows, token)),
  })
  await send(events(10))
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await isDrained()).toBe(false)
  isAway = false
  await drained()
  expect(await stored()).toEqual(exactly(10))
})

test('events that are none go to the dead letters with the reason, the rest of their batch is stored', async () => {
  startWorker()
  const [fine] = events(1)
  const unknown = { ...fine, id: uuidv7(), version: 2 }
  const timeless = { ...fine, id: '00000000-0000-7000-8000-000000000000' }
  const id = await send([unknown, fine, { nonsense: true }, timeless])
  await drained()
  expect(await stored()).toEqual(exactly(1))
  const letters = createDeadLetters([shard])
  const [letter] = await letters.list({ offset: 0, limit: 10 })
  expect(letter).toMatchObject({ id, kind: 'events', events: 3 })
  const details = await letters.get(id)
  expect(details!.lines.map(({ reason }) => reason)).toEqual([
    'version: Invalid input: expected 1',
    expect.stringMatching(/^version: [^\n]+; id: [^\n]+$/),
    'the time in the id is not plausible',
  ])
  expect(await letters.replay(id)).toBe(true)
  await drained()
  expect((await letters.list({ offset: 0, limit: 10 })).map((each) => each.id)).toEqual([`${id}-again`])
  expect(await letters.drop(`${id}-again`)).toBe(true)
  expect(await letters.list({ offset: 0, limit: 10 })).toEqual([])
  expect(await letters.replay(id)).toBe(false)
  await letters.close()
})

test('a poisoned batch is kept, and the others go on', async () => {
  startWorker()
  const id = uuidv7()
  await queue.add(jobNameOf(7), { version: 1, count: 7, bytes: 9, lines: 'AAAA' }, { jobId: id })
  await send(events(10))
  await drained()
  expect(await stored()).toEqual(exactly(10))
  const letters = createDeadLetters([shard])
  expect(await letters.list({ offset: 0, limit: 10 })).toMatchObject([{ id, kind: 'batch', events: 7 }])
  await letters.close()
})

test('rows that ClickHouse will never take are kept as dead letters, and can be replayed', async () => {
  const refusal = Object.assign(new Error('Cannot parse input'), { code: '27' })
  const first = startWorker({ insert: () => Promise.reject(refusal) })
  const id = await send(events(10))
  const letters = createDeadLetters([shard])
  await expect.poll(() => letters.list({ offset: 0, limit: 9 })).toHaveLength(1)
  await first.stop()
  startWorker()
  await letters.replay(id)
  await drained()
  expect(await stored()).toEqual(exactly(10))
  await letters.close()
})

const keysOf = (id: string) => Array.from({ length: 1_500 }, (_, index) => `${cachedAnswerPrefix(id)}${index}`)

test('row 67: the cached answers of a deleted account go, and nobody else’s', async () => {
  const others = [...keysOf(uuidv7()), `rate:{${accountId}}`]
  for (const key of [...keysOf(accountId), ...others]) void state.set(key, 'x')
  const deletions = new Queue('account-deletions', { connection: redis })
  startWorker()
  await deletions.add('delete-account-logs', { accountId }, { jobId: accountId, removeOnComplete: true })
  await expect.poll(() => state.exists(...keysOf(accountId)), { timeout: 20_000 }).toBe(0)
  expect(await state.exists(...others)).toBe(others.length)
  await deletions.close()
})

test('the logs of a deleted account go, also those that come later, and nobody else’s', async () => {
  startWorker()
  const other = uuidv7()
  await send([...events(10), ...events(5, { accountId: other })])
  await drained()
  const deletions = new Queue('account-deletions', { connection: redis })
  await deletions.add('delete-account-logs', { accountId }, { jobId: accountId, removeOnComplete: true })
  await expect.poll(stored, { timeout: 60_000, interval: 200 }).toEqual(exactly(0))
  await send(events(3))
  await drained()
  await expect.poll(stored, { timeout: 60_000, interval: 200 }).toEqual(exactly(0))
  accountId = other
  expect(await stored()).toEqual(exactly(5))
  await deletions.close()
}, 150_000)

test('reading a batch twice gives the same rows', async () => {
  await send([...events(20, { requestBody: 'ü'.repeat(20_000) }), { broken: 1 }])
  const [job] = await queue.getJobs(['waiting'])
  expect(await readBatch(job!)).toEqual(await readBatch(job!))
})
