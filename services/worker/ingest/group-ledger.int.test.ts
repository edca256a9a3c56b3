import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { second } from '#core/units.ts'
import { createTestRedis } from '#tools/test/stores.ts'
import { type BatchGroup, GroupLedger, rememberedMs } from './group-ledger.ts'

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
  expect([await ledger.markStored(group), await ledger.markStored(group)]).toEqual([true, false])
  expect(await ledger.forget(group)).toBe(false)
  expect(await ledger.find(id)).toMatchObject({ id: group.id, stored: true })
})

test('a batch that is offered to another group stays in its own', async () => {
  const [id, other] = [uuidv7(), uuidv7()]
  const group = await open(id)
  expect((await open(id, other)).batchIds).toEqual([other])
  expect(await ledger.find(id)).toMatchObject({ id: group.id, batchIds: [id] })
})

test('a batch that has joined another group stays there when a late worker dissolves the first one', async () => {
  const id = uuidv7()
  const first = await open(id, uuidv7())
  await ledger.forget(first)
  const next = await open(id)
  await ledger.forget(first)
  expect(await ledger.find(id)).toMatchObject({ id: next.id })
})

test('entries stay until their group is stored, and not forever', async () => {
  const id = uuidv7()
  const group = await open(id)
  const ttls = async () => {
    const keys = [...(await redis.keys(`*${id}`)), ...(await redis.keys(`*${group.id}`))]
    return Promise.all(keys.map((key) => redis.ttl(key)))
  }
  expect(await ttls()).toEqual([-1, -1])
  await ledger.markStored(group)
  for (const ttl of await ttls()) expect(ttl * second).toBeGreaterThan(rememberedMs)
})
