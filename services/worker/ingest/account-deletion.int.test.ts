import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { createTestRedis } from '#tools/test/stores.ts'
import { DeletedAccounts } from './account-deletion.ts'

test('logs of a deleted account that are stored before a worker could list the deleted accounts are removed', async () => {
  const accountId = uuidv7()
  const removed: string[] = []
  let isAway = true
  const redis = openQueueConsumer(await createTestRedis())
  const deletions = new DeletedAccounts({
    shard: { redis, tag: '' },
    deletedAccounts: {
      list: async () => (isAway ? Promise.reject(new Error('connect ECONNREFUSED')) : [accountId]),
      remove: async (id) => void removed.push(id),
    },
    cachedResponses: { removeAll: async () => undefined },
    logger: pino({ level: 'silent' }),
  })
  onTestFinished(async () => {
    await deletions.stop()
    redis.disconnect()
  })
  isAway = false
  await deletions.afterStoring(new Set([accountId, uuidv7()]))
  await expect.poll(() => removed, { timeout: 20_000 }).toEqual([accountId])
})
