import { afterAll, beforeEach, expect, test } from 'vitest'
import { minute } from '#core/units.ts'
import { useAlertJobs } from '../alerts/alert-jobs.fixture.ts'
import { startWebhookReceiver } from './webhook-receiver.fixture.ts'

const jobs = await useAlertJobs()
const { sql, stores } = jobs
const receiver = await startWebhookReceiver()
afterAll(() => receiver.stop())
beforeEach(() => void receiver.messages.splice(0))

test('a webhook that never responds delays no other, and is tried again', async () => {
  const [ann, bob] = [await jobs.account(), await jobs.account()]
  const silent = await jobs.addWebhook(ann, `${receiver.url}/silent`)
  const other = await jobs.addWebhook(bob, `${receiver.url}/hook`)
  await stores.webhooks.test(ann, silent.id)
  const running = jobs.webhookDelivery({ timeoutMs: minute }).run()
  await expect.poll(() => receiver.messages.length).toBe(1)
  for (let count = 1; count <= 3; count++) await stores.webhooks.test(bob, other.id)
  await expect.poll(() => receiver.messages.filter(({ path }) => path === '/hook').length).toBe(3)
  receiver.hangUp()
  await running
  await stores.webhooks.test(ann, silent.id)
  await jobs.webhookDelivery({ timeoutMs: 100 }).run()
  const [last] = await stores.webhooks.deliveries(ann, silent.id)
  expect(last).toMatchObject({ state: 'waiting', attempts: 1, status: null })
  expect(last!.error).toBe('The receiver did not respond within 0.1 s.')
})

test('a response that arrived while the worker was suspended is in time, so that no message is repeated', async () => {
  const accountId = await jobs.account()
  const { id } = await jobs.addWebhook(accountId, `${receiver.url}/suspending`)
  await stores.webhooks.test(accountId, id)
  await jobs.webhookDelivery({ timeoutMs: 700 }).run()
  expect(await stores.webhooks.deliveries(accountId, id)).toMatchObject([{ state: 'delivered', status: 204 }])
})

test('row 68: a response without an end is not read: its status is enough, and its connection ends', async () => {
  const accountId = await jobs.account()
  const { id } = await jobs.addWebhook(accountId, `${receiver.url}/endless`)
  await stores.webhooks.test(accountId, id)
  await jobs.webhookDelivery().run()
  const [last] = await stores.webhooks.deliveries(accountId, id)
  expect(last).toMatchObject({ state: 'delivered', attempts: 1, status: 200 })
  await expect.poll(receiver.connections).toBe(0)
})

test('the messages of accounts whose webhooks never respond take turns with those of others', async () => {
  const greedy = await Promise.all(Array.from({ length: 16 }, () => jobs.account()))
  const silent = await Promise.all(
    greedy.flatMap((ann) =>
      Array.from({ length: 4 }, async () => {
        const { id } = await jobs.addWebhook(ann, `${receiver.url}/silent`)
        for (let count = 0; count < 5; count += 1) await stores.webhooks.test(ann, id)
      }),
    ),
  )
  const bob = await jobs.account()
  const { id } = await jobs.addWebhook(bob, `${receiver.url}/hook`)
  const running = jobs.webhookDelivery({ timeoutMs: 1_000 }).run()
  await expect.poll(() => receiver.messages.length).toBeGreaterThanOrEqual(silent.length)
  await stores.webhooks.test(bob, id)
  const sentBefore = receiver.messages.length
  const position = () => receiver.messages.findIndex(({ path }) => path === '/hook')
  await expect.poll(position, { timeout: 20_000 }).toBeGreaterThan(0)
  await sql`delete from webhook_deliveries`
  await running
  expect(position()).toBeLessThan(sentBefore + silent.length)
})

test('a worker that stops delivers no more of the messages that wait', async () => {
  const accountId = await jobs.account()
  const { id } = await jobs.addWebhook(accountId, `${receiver.url}/hook`)
  await stores.webhooks.test(accountId, id)
  await jobs.webhookDelivery().run(AbortSignal.abort())
  expect(await stores.webhooks.deliveries(accountId, id)).toMatchObject([{ state: 'waiting', attempts: 0 }])
})

test('a webhook whose master key is lost fails like one that does not respond', async () => {
  const accountId = await jobs.account()
  const { id } = await jobs.addWebhook(accountId, `${receiver.url}/hook`)
  await sql`update webhooks set sealed_secret = set_byte(sealed_secret, 1, 99) where id = ${id}`
  await stores.webhooks.test(accountId, id)
  await jobs.webhookDelivery().run()
  const [last] = await stores.webhooks.deliveries(accountId, id)
  expect(last).toMatchObject({ state: 'waiting', attempts: 1, error: expect.stringContaining('signing secret') })
})

test('a failed delivery is tried again with the same id, at most seven times', async () => {
  const accountId = await jobs.account()
  const { id } = await jobs.addWebhook(accountId, `${receiver.url}/500`)
  await stores.webhooks.test(accountId, id)
  const pauses: number[] = []
  for (let attempt = 1; attempt <= 8; attempt++) {
    await jobs.webhookDelivery().run()
    const [row] = await sql`
      select (ceil(extract(epoch from next_attempt_at - now()) / 5) * 5)::int as seconds from webhook_deliveries
      where failed_at is null`
    if (row) pauses.push(row['seconds'])
    await sql`update webhook_deliveries set next_attempt_at = now()`
  }
  expect(pauses).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000])
  expect(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(receiver.messages).toHaveLength(7)
  const [last] = await stores.webhooks.deliveries(accountId, id)
  expect(last).toMatchObject({
    state: 'failed',
    attempts: 7,
    status: 500,
    error: 'The receiver responded with status 500.',
  })
})
