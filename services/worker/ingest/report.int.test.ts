import { expect, onTestFinished, test } from 'vitest'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import { createTestRedis } from '#tools/test/stores.ts'
import { createWorkerReporter } from './report.ts'

test('a worker knows how many there are', async () => {
  const redis = openQueueConsumer(await createTestRedis())
  onTestFinished(() => redis.disconnect())
  const first = createWorkerReporter({ redis, tag: '' })
  const second = createWorkerReporter({ redis, tag: '' })
  await expect.poll(first.workers, { timeout: 10_000 }).toBe(2)
  await second.stop()
  await expect.poll(first.workers, { timeout: 10_000 }).toBe(1)
  await first.stop()
})

test('reports of workers that did not stop in order are not kept', async () => {
  const redis = openQueueConsumer(await createTestRedis())
  onTestFinished(() => redis.disconnect())
  const { workers } = pipelineKeys({ tag: '' })
  const running = createWorkerReporter({ redis, tag: '' })
  await expect.poll(() => redis.hlen(workers), { timeout: 10_000 }).toBe(1)
  const [report = ''] = await redis.hvals(workers)
  await redis.hset(workers, 'killed', JSON.stringify({ ...JSON.parse(report), at: '2026-01-01T00:00:00.000Z' }))
  await expect.poll(() => redis.hexists(workers, 'killed'), { timeout: 10_000 }).toBe(0)
  await running.stop()
})
