import { expect, onTestFinished, test } from 'vitest'
import { openQueueConsumer } from '#core/redis/connections.ts'
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
