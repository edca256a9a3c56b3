import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { second } from '#core/units.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import { whenReady } from '#tools/stack/when-ready.ts'
import { createTestRedis } from '#tools/test/stores.ts'
import { createWorkerReporter } from './report.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
})
const reportAgain = () => void vi.advanceTimersByTime(2 * second)

async function connect() {
  const redis = openQueueConsumer(await createTestRedis())
  onTestFinished(() => redis.disconnect())
  await whenReady(redis)
  return redis
}

test('a worker knows how many there are', async () => {
  const shard = { redis: await connect(), tag: '' }
  const [first, other] = [createWorkerReporter(shard), createWorkerReporter(shard)]
  reportAgain()
  await expect.poll(first.workers).toBe(2)
  await other.stop()
  reportAgain()
  await expect.poll(first.workers).toBe(1)
  await first.stop()
})

test('a report has the latest inserts and the error of the last one', async () => {
  const redis = await connect()
  const worker = createWorkerReporter({ redis, tag: '' })
  const report = async () => JSON.parse((await redis.hvals(pipelineKeys({ tag: '' }).workers))[0] ?? '{}')
  for (let ms = 1; ms <= 100; ms += 1) worker.noteInsert({ rows: 5, ms })
  worker.noteInsert({ rows: 0, ms: 9_000, error: new Error('away') })
  reportAgain()
  const inserts = { storedEvents: 500, inserts: 100, insertP50Ms: 51, insertP95Ms: 96 }
  await expect.poll(report).toMatchObject({ ...inserts, lastError: 'away' })
  worker.noteInsert({ rows: 5, ms: 1 })
  reportAgain()
  await expect.poll(report).toMatchObject({ inserts: 101, lastError: null })
  await worker.stop()
})

test('reports of workers that did not stop in order are not kept', async () => {
  const redis = await connect()
  const { workers } = pipelineKeys({ tag: '' })
  const running = createWorkerReporter({ redis, tag: '' })
  await expect.poll(() => redis.hlen(workers)).toBe(1)
  const [report = ''] = await redis.hvals(workers)
  await redis.hset(workers, 'killed', JSON.stringify({ ...JSON.parse(report), at: '2026-01-01T00:00:00.000Z' }))
  reportAgain()
  await expect.poll(() => redis.hexists(workers, 'killed')).toBe(0)
  await running.stop()
})
