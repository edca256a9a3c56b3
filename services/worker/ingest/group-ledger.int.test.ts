import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { createTestRedis } from '#tools/test/stores.ts'
import { type BatchGroup, GroupLedger } from './group-ledger.ts'

const redis = openQueueConsumer(await createTestRedis())
const ledger = new GroupLedger({ redis, tag: '' })
afterAll(() => redis.disconnect())

async function open(...batchIds: string[]): Promise<BatchGroup> {
  const group = await ledger.open(batchIds)
  if (!group) throw new Error('the batches are in another group')
  return group
}

test('a group with a batch that was removed is dissolved', async () => {
  const id = uuidv7()
  const group = await open(id, uuidv7())
  expect(await ledger.forget(group)).toBe(true)
  expect(await ledger.find(id)).toBeUndefined()
})

test('a group that another worker has stored is remembered, although its batches are gone', async () => {
  const id = uuidv7()
  const group = await open(id, uuidv7())
  await ledger.markStored(group)
  expect(await ledger.forget(group)).toBe(false)
  expect(await ledger.find(id)).toMatchObject({ id: group.id, stored: true })
})
