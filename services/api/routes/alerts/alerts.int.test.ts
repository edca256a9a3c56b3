import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { day, hour, minute } from '#core/units.ts'
import type { AlertPreview } from '#schemas/alerts.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { storeEvents } from '#store/clickhouse/logs/stored-logs.fixture.ts'
import { newAlert, newWebhook } from '../../test/account-writes.fixture.ts'
import { testApi, type TestUser } from '../../test/api.fixture.ts'

const api = await testApi()
const careless = await api.register()

const list = async (user: TestUser) => (await user.call('GET', '/api/alerts')).json().alerts
const addWebhook = async (user: TestUser) => (await user.call('POST', '/api/webhooks', newWebhook)).json()

async function preview(user: TestUser, changes: object): Promise<AlertPreview> {
  const { measure, comparison, threshold, windowMinutes, filters, group } = newAlert
  const condition = { measure, comparison, threshold, windowMinutes, filters, group, ...changes }
  return (await user.call('POST', '/api/alerts/preview', condition)).json()
}

test('alerts are added, changed, silenced and deleted', async () => {
  const ann = await api.register()
  const webhook = await addWebhook(ann)
  expect((await ann.call('GET', '/api/alerts')).json()).toEqual({ alerts: [], sendsMail: false })
  const filters = { status: 'failed', method: 'all', model: ['gpt-4o'], tag: ['customer:acme'], not: ['model'] }
  const added = await ann.call('POST', '/api/alerts', { ...newAlert, filters, webhookIds: [webhook.id] })
  const stored = {
    ...newAlert,
    id: added.json().id,
    filters,
    webhookIds: [webhook.id],
    silencedUntil: null,
    state: null,
    groups: [],
    judgedUntil: null,
    lastChangeAt: null,
  }
  expect([added.statusCode, added.json()]).toEqual([201, stored])
  expect(await list(ann)).toEqual([stored])

  const path = `/api/alerts/${stored.id}`
  const silencedUntil = new Date(Date.now() + hour).toISOString()
  const changes = { silencedUntil, threshold: 7, webhookIds: [] }
  expect((await ann.call('PATCH', path, changes)).json()).toEqual({ ...stored, ...changes })
  expect((await ann.call('PATCH', path, { silencedUntil: null })).json().silencedUntil).toBeNull()
  expect((await ann.call('GET', `${path}/history`)).json()).toEqual([])
  expect(await ann.call('POST', `${path}/test`)).toMatchObject({ statusCode: 202, body: '' })
  expect((await ann.call('DELETE', path)).statusCode).toBe(204)
  expect(await list(ann)).toEqual([])
})

test('an id in capitals filters by the same token', async () => {
  const ann = await api.register()
  const token = uuidv7()
  const filters = { ...newAlert.filters, token: [token.toUpperCase()] }
  const { filters: stored } = (
    await ann.call('POST', '/api/alerts', { ...newAlert, measure: 'budget', filters })
  ).json()
  expect(stored.token).toEqual([token])
})

test('a condition that can not be read is rejected at its fields', async () => {
  const ann = await api.register()
  const wrong = { windowMinutes: 0, threshold: -1, measure: 'mood', group: 'tag:', name: '' }
  const response = await ann.call('POST', '/api/alerts', { ...newAlert, ...wrong })
  expect(response.statusCode).toBe(400)
  const fields = response.json().errors.map(({ field }: { field: string }) => field)
  expect(fields.toSorted()).toEqual(Object.keys(wrong).toSorted())
  for (const model of ['\ud83d', '\0']) {
    const filters = { status: 'all', method: 'all', model: [model] }
    expect((await ann.call('POST', '/api/alerts', { ...newAlert, filters })).statusCode).toBe(400)
  }
  const unknown = await ann.call('POST', '/api/alerts', { ...newAlert, filters: { search: 'x' } })
  expect(unknown.statusCode).toBe(400)
  expect(await list(ann)).toEqual([])
})

test('an alert tells no webhook of another account', async () => {
  const [ann, bob] = [await api.register(), await api.register()]
  const webhook = await addWebhook(bob)
  const response = await ann.call('POST', '/api/alerts', { ...newAlert, webhookIds: [webhook.id] })
  expect(response.json()).toMatchObject({ status: 400, errors: [{ field: 'webhookIds' }] })
  expect(await list(ann)).toEqual([])
})

test('the secret of a webhook is shown once, and its tests are listed', async () => {
  const ann = await api.register()
  const { secret, ...webhook } = await addWebhook(ann)
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect((await ann.call('GET', '/api/webhooks')).json()).toEqual([webhook])
  expect(await ann.call('POST', `/api/webhooks/${webhook.id}/test`)).toMatchObject({ statusCode: 202, body: '' })
  const deliveries = (await ann.call('GET', `/api/webhooks/${webhook.id}/deliveries`)).json()
  expect(deliveries).toMatchObject([{ type: 'test', state: 'waiting', attempts: 0, status: null, error: null }])
  const [listed] = (await ann.call('GET', '/api/webhooks')).json()
  expect(listed.lastDelivery).toEqual(deliveries[0])
  expect((await ann.call('DELETE', `/api/webhooks/${webhook.id}`)).statusCode).toBe(204)
})

test.each([
  'http://10.0.0.1/',
  'http://169.254.169.254/latest',
  'http://[::ffff:10.0.0.1]/',
  'http://localhost/',
  'ftp://example.com/',
  'https://user:secret@example.com/',
  'http://example.com/#x',
])('row 68: a webhook to %s is rejected', async (url) => {
  const response = await careless.call('POST', '/api/webhooks', { name: 'Inside', url })
  expect(response.json()).toMatchObject({ status: 400, errors: [{ field: 'url' }] })
})

test('a preview says when an alert would have fired', async () => {
  const ann = await api.register()
  const accountId = await ann.accountId()
  const begin = Math.floor((Date.now() - 2 * day) / hour) * hour
  const at = (minutes: number, event: Partial<RequestEvent>) =>
    requestEvent({ accountId, ...event, id: uuidv7({ msecs: begin + minutes * minute }) })
  const events = [
    at(1, { model: 'a' }),
    at(16, { model: 'a', status: 500, responseTimeMs: 4_000 }),
    at(20, { model: 'b', tags: { customer: 'acme' } }),
    at(31, { model: 'a', status: 500 }),
    at(70, { model: 'a' }),
  ]
  await storeEvents(api.clickhouse, events)
  const iso = (minutes: number) => new Date(begin + minutes * minute).toISOString()

  const errors = await preview(ann, { threshold: 40, windowMinutes: 5 })
  expect(errors).toMatchObject({ windowMinutes: 15, isKnown: true, isCut: false })
  expect(errors.firings).toEqual([{ group: '', from: iso(30), to: iso(75) }])
  expect(errors.series.length).toBeGreaterThanOrEqual(30 * 24)
  expect(errors.series.find(({ at: time }) => time === iso(0))).toEqual({ at: iso(0), value: 100 })

  const byModel = await preview(ann, { threshold: 60, windowMinutes: 45, group: 'model' })
  expect(byModel.firings).toEqual([{ group: 'a', from: iso(45), to: iso(75) }])
  const slow = await preview(ann, { measure: 'p95', threshold: 3_000, windowMinutes: 15 })
  expect(slow.firings).toEqual([{ group: '', from: iso(30), to: iso(45) }])
  const filters = { status: 'all', method: 'all', tag: ['customer:acme'] }
  const tagged = await preview(ann, {
    measure: 'requests',
    threshold: 0,
    windowMinutes: 15,
    filters,
    group: 'tag:customer',
  })
  expect(tagged.firings).toEqual([{ group: 'acme', from: iso(30), to: iso(45) }])
  expect(await preview(ann, { measure: 'budget' })).toMatchObject({ isKnown: false, firings: [] })
  expect((await preview(await api.register(), { threshold: 40 })).firings).toEqual([])
})
