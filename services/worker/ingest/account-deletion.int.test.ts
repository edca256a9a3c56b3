import { Queue } from 'bullmq'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { hour, mib, minute } from '#core/units.ts'
import {
  accountDeletionQueue,
  batchJobOptions,
  jobNameOf,
  packEvents,
  requestEventQueue,
} from '#shared/pipeline/queue.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import type { RequestLogRows } from '#store/clickhouse/logs/request-log-rows.ts'
import { whenReady } from '#tools/stack/when-ready.ts'
import { createTestRedis } from '#tools/test/stores.ts'
import { stallJob } from '../stalled-job.fixture.ts'
import { DeletedAccounts } from './account-deletion.ts'
import { GroupLedger } from './group-ledger.ts'
import { createUsageMetrics } from './usage-metrics.ts'
import { startEventWorker } from './worker.ts'

const [accountId, kept] = [uuidv7(), uuidv7()]

/** Stores of deletions that only list the accounts whose logs they removed. */
async function openStores({
  list = async () => [] as string[],
  due = async () => [] as string[],
  accountExists = async () => false,
} = {}) {
  const completed: string[] = []
  const removed: string[] = []
  const redis = openQueueConsumer(await createTestRedis())
  onTestFinished(() => redis.disconnect())
  const stores = {
    deletedAccounts: { list, remove: async (ids: readonly string[]) => void removed.push(...ids) },
    accountDeletions: { due, accountExists, complete: async (id: string) => void completed.push(id) },
    accountState: { removeAll: async () => undefined },
    logger: pino({ level: 'silent' }),
  }
  return { stores, removed, completed, shard: { redis, tag: '' } }
}

/** Stopped before the connection ends. */
function stopAfterTest<Started extends { stop(): Promise<void> }>(started: Started): Started {
  onTestFinished(() => started.stop())
  return started
}

test('logs of a deleted account that are stored before a worker could list the deleted accounts are removed', async () => {
  let isAway = true
  const { stores, removed, shard } = await openStores({
    list: async () => (isAway ? Promise.reject(new Error('connect ECONNREFUSED')) : [accountId]),
  })
  const deletions = stopAfterTest(new DeletedAccounts({ ...stores, shard }))
  isAway = false
  await deletions.afterStoring(new Set([accountId, uuidv7()]))
  await expect.poll(() => removed, { timeout: 20_000 }).toEqual([accountId])
})

test('so are those of an account that was deleted while the worker was suspended', async () => {
  let listed: string[] = []
  const { stores, removed, shard } = await openStores({ list: async () => listed })
  const deletions = stopAfterTest(new DeletedAccounts({ ...stores, shard }))
  await deletions.afterStoring(new Set([accountId]))
  listed = [accountId]
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + minute)
  await deletions.afterStoring(new Set([accountId]))
  clock.mockRestore()
  await expect.poll(() => removed, { timeout: 20_000 }).toEqual([accountId])
})

test('a batch is done only once it is known that none of its accounts was deleted', async () => {
  const listing = vi.fn(async (): Promise<string[]> => Promise.reject(new Error('the query took too long')))
  const { stores, removed, shard } = await openStores({ list: listing })
  const queue = new Queue(requestEventQueue, { connection: shard.redis })
  onTestFinished(() => queue.close())
  const insert = vi.fn(async () => undefined)
  const logs = { insert, isAnyStored: async () => false }
  stopAfterTest(startEventWorker({ ...stores, shards: [shard], logs, usage: createUsageMetrics(new Registry()) }))
  const batch = await packEvents([requestEvent({ accountId })])
  await queue.add(jobNameOf(1), batch, { ...batchJobOptions, jobId: uuidv7() })
  await expect.poll(() => listing.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(2)
  listing.mockResolvedValue([accountId])
  await expect.poll(() => removed, { timeout: 20_000 }).toEqual([accountId])
  expect(insert).toHaveBeenCalledTimes(1)
})

test('batches that are not done because the list cannot be read do not hold back others', async () => {
  const { stores, shard } = await openStores({ list: () => Promise.reject(new Error('the query took too long')) })
  const queue = new Queue(requestEventQueue, { connection: shard.redis })
  onTestFinished(() => queue.close())
  let inserted = 0
  const logs = {
    insert: async (rows: readonly RequestLogRows[]) => void (inserted += rows.length),
    isAnyStored: async () => false,
  }
  stopAfterTest(startEventWorker({ ...stores, shards: [shard], logs, usage: createUsageMetrics(new Registry()) }))
  // Together, they have more bytes than a worker takes at once.
  const data = { ...(await packEvents([requestEvent()])), bytes: mib }
  const batches = Array.from({ length: 100 }, () => ({ ...batchJobOptions, jobId: uuidv7() }))
  await queue.addBulk(batches.map((opts) => ({ name: jobNameOf(1), data, opts })))
  await expect.poll(() => inserted, { timeout: 20_000 }).toBe(batches.length)
})

test('logs are removed also if the queue knows nothing of the deletion, such as after a loss', async () => {
  const { stores, completed, removed, shard } = await openStores({ due: async () => [accountId] })
  await whenReady(shard.redis)
  stopAfterTest(new DeletedAccounts({ ...stores, shard }))
  await expect.poll(() => completed, { timeout: 20_000 }).toEqual([accountId])
  expect(removed).toEqual([accountId])
})

test('logs are removed, however many workers were killed meanwhile', async () => {
  const { stores, removed, shard } = await openStores()
  const queue = new Queue(accountDeletionQueue, { connection: shard.redis })
  onTestFinished(() => queue.close())
  const others = [uuidv7()]
  await queue.add('delete-account-logs', { accountId, others }, { jobId: accountId })
  await stallJob(shard.redis, queue, accountId)
  stopAfterTest(new DeletedAccounts({ ...stores, shard }))
  await expect.poll(() => removed, { timeout: 20_000 }).toEqual([accountId, ...others])
})

test('a worker that dies as soon as a deletion is complete leaves the job that removes late logs', async () => {
  let due = [accountId]
  const { stores, shard } = await openStores({ due: async () => due })
  const queue = new Queue(accountDeletionQueue, { connection: shard.redis })
  onTestFinished(() => queue.close())
  const waiting: number[] = []
  stores.accountDeletions.complete = async () => {
    due = []
    waiting.push(await queue.getDelayedCount())
  }
  await whenReady(shard.redis)
  stopAfterTest(new DeletedAccounts({ ...stores, shard }))
  await expect.poll(() => waiting, { timeout: 20_000 }).toEqual([1])
})

test('deletions that wait for a removal share the next one', async () => {
  const waiting = [uuidv7(), uuidv7(), uuidv7()]
  let due = waiting.slice(0, 1)
  const { stores, shard } = await openStores({ due: async () => due })
  const queue = new Queue(accountDeletionQueue, { connection: shard.redis })
  onTestFinished(() => queue.close())
  const removals: (readonly string[])[] = []
  stores.deletedAccounts.remove = async (ids) => {
    removals.push(ids)
    if (removals.length > 1) return
    due = waiting.slice(1)
    for (const id of due) await queue.add('delete-account-logs', { accountId: id, isListed: true }, { jobId: id })
  }
  const completed: string[] = []
  stores.accountDeletions.complete = async (id) => {
    completed.push(id)
    due = due.filter((each) => each !== id)
  }
  await whenReady(shard.redis)
  stopAfterTest(new DeletedAccounts({ ...stores, shard }))
  await expect.poll(() => completed, { timeout: 20_000 }).toEqual(waiting)
  await expect.poll(() => queue.getCompletedCount(), { timeout: 20_000 }).toBe(2)
  expect(removals).toEqual([waiting.slice(0, 1), waiting.slice(1)])
})

test('logs are removed only once the deletion of their account is committed', async () => {
  let exists = true
  const { stores, removed, shard } = await openStores({ accountExists: async () => exists })
  const queue = new Queue(accountDeletionQueue, { connection: shard.redis })
  onTestFinished(() => queue.close())
  stopAfterTest(new DeletedAccounts({ ...stores, shard }))
  const timestamp = Date.now() - 2 * hour
  await queue.add('delete-account-logs', { accountId }, { jobId: accountId })
  await queue.add('delete-account-logs', { accountId: kept }, { jobId: kept, timestamp })
  await expect.poll(() => queue.getCompletedCount(), { timeout: 20_000 }).toBe(1)
  expect(await queue.getDelayedCount()).toBe(1)
  expect(removed).toEqual([])
  exists = false
  await expect.poll(() => removed, { timeout: 20_000 }).toEqual([accountId])
})

test('logs of a deleted account are removed, also if a worker died right after it had stored them', async () => {
  const { stores, removed, shard } = await openStores({ list: async () => [accountId] })
  const queue = new Queue(requestEventQueue, { connection: shard.redis })
  onTestFinished(() => queue.close())
  const jobId = uuidv7()
  await queue.add(jobNameOf(1), await packEvents([requestEvent({ accountId })]), { ...batchJobOptions, jobId })
  const ledger = new GroupLedger(shard)
  const group = await ledger.open([jobId])
  await ledger.markStored(group!)
  const logs = { insert: async () => undefined, isAnyStored: async () => true }
  stopAfterTest(startEventWorker({ ...stores, shards: [shard], logs, usage: createUsageMetrics(new Registry()) }))
  await expect.poll(() => removed, { timeout: 20_000 }).toEqual([accountId])
})

test('so are those of a dead letter that are stored because another batch of its group was requeued', async () => {
  const { stores, removed, shard } = await openStores({ list: async () => [accountId] })
  const queue = new Queue(requestEventQueue, { connection: shard.redis })
  onTestFinished(() => queue.close())
  const [deadId, jobId] = [uuidv7(), uuidv7()]
  // A dead letter: no worker takes it.
  const opts = { ...batchJobOptions, jobId: deadId, delay: hour }
  await queue.add(jobNameOf(1), await packEvents([requestEvent({ accountId })]), opts)
  await new GroupLedger(shard).open([deadId, jobId])
  await queue.add(jobNameOf(1), await packEvents([requestEvent()]), { ...batchJobOptions, jobId })
  const logs = { insert: async () => undefined, isAnyStored: async () => true }
  stopAfterTest(startEventWorker({ ...stores, shards: [shard], logs, usage: createUsageMetrics(new Registry()) }))
  await expect.poll(() => removed, { timeout: 20_000 }).toEqual([accountId])
})
