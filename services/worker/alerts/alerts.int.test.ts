import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { second } from '#core/units.ts'
import { AlertMessage } from '#schemas/alert-message.ts'
import type { ChangeAlert } from '#schemas/alerts.ts'
import { signWebhook } from '../webhooks/sign-webhook.ts'
import { startWebhookReceiver } from '../webhooks/webhook-receiver.fixture.ts'
import { useAlertJobs } from './alert-jobs.fixture.ts'

const jobs = await useAlertJobs()
const { sql, stores } = jobs
const receiver = await startWebhookReceiver()
afterAll(() => receiver.stop())
beforeEach(() => void receiver.messages.splice(0))

const failing = [{ status: 500 }, { status: 200 }]
const fine = [{ status: 200 }]

/** Runs each job once. */
async function round(minutes: number) {
  await jobs.evaluation(minutes).run()
  await jobs.delivery().run()
  await jobs.webhookDelivery().run()
}

const source = { clientAddress: null, userAgent: null }
const subjects = () => jobs.mails.splice(0).map(({ subject }) => subject)
const types = () => receiver.messages.splice(0).map(({ body }) => JSON.parse(body).type)
const stateOf = async (accountId: string) => {
  const [alert] = await stores.alerts.list(accountId)
  return alert!.groups.map(({ group, state, value }) => [group, state, value])
}

test('an alert fires once by mail and webhook, with a valid signature, and resolves once', async () => {
  const accountId = await jobs.account()
  const webhook = await jobs.addWebhook(accountId, `${receiver.url}/hook`)
  const alert = await jobs.addAlert(accountId, { webhookIds: [webhook.id] })
  await jobs.addRequests(accountId, 2, failing)
  await jobs.addRequests(accountId, -3, fine)
  await jobs.addRequests(accountId, -4, fine)
  await round(1)

  const [message] = receiver.messages
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = message!.headers
  expect(signature).toBe(signWebhook(webhook.secret, String(id), Number(timestamp), message!.body))
  // Receivers reject an old message.
  expect(Number(timestamp)).toBeCloseTo(Date.now() / second, -3)
  const { type, data } = JSON.parse(message!.body)
  expect(type).toBe('alert.firing')
  expect(AlertMessage.parse(data)).toMatchObject({
    alert: { id: alert.id, name: 'Errors' },
    groups: [{ group: '', value: 50 }],
    at: jobs.at(0).toISOString(),
  })
  expect(jobs.mails[0]!.text).toContain('An alert fires: Error rate over 20 % in 5 minutes.')
  expect([subjects(), types()]).toEqual([['Alert: Errors'], ['alert.firing']])

  await round(1)
  await round(2)
  expect([subjects(), types()]).toEqual([[], []])
  await round(6)
  expect([subjects(), types()]).toEqual([['Resolved: Errors'], ['alert.resolved']])
  // Nothing in the window: the value is unknown, and no message is sent.
  await round(30)
  expect([subjects(), types()]).toEqual([[], []])
  expect(await stateOf(accountId)).toEqual([['', 'no-data', null]])
  const history = await stores.alerts.history(accountId, alert.id)
  expect(history.map(({ from, to }) => `${from} ${to}`)).toEqual(['ok no-data', 'firing ok', 'ok firing'])
})

test('a silenced alert sends nothing, and once its silence is over what is still due', async () => {
  const accountId = await jobs.account()
  const { id } = await jobs.addAlert(accountId)
  await jobs.addRequests(accountId, 2, failing)
  await stores.alerts.change(accountId, id, { silencedUntil: jobs.at(1.5).toISOString() }, source)
  await round(1)
  expect([await stateOf(accountId), subjects()]).toEqual([[['', 'firing', 50]], []])
  await round(2)
  expect(subjects()).toEqual(['Alert: Errors'])
})

test('two workers that evaluate and deliver at once send one message', async () => {
  const accountId = await jobs.account()
  const { id } = await jobs.addWebhook(accountId, `${receiver.url}/hook`)
  await jobs.addAlert(accountId, { webhookIds: [id] })
  await jobs.addRequests(accountId, 2, failing)
  await Promise.all([jobs.evaluation(1).run(), jobs.evaluation(1).run(), jobs.evaluation(1).run()])
  await Promise.all([
    jobs.webhookDelivery().run(),
    jobs.webhookDelivery().run(),
    jobs.delivery().run(),
    jobs.delivery().run(),
  ])
  expect([subjects(), types()]).toEqual([['Alert: Errors'], ['alert.firing']])
})

test('an alert covers the requests of its own account only, and only that account sees it', async () => {
  const [ann, bob] = [await jobs.account(), await jobs.account()]
  await jobs.addAlert(ann)
  const ofBob = await jobs.addAlert(bob)
  await jobs.addRequests(ann, 2, failing)
  await jobs.addRequests(bob, 2, fine)
  await round(1)
  expect([await stateOf(ann), await stateOf(bob)]).toEqual([[['', 'firing', 50]], [['', 'ok', 0]]])
  expect(subjects()).toHaveLength(1)
  expect(await stores.alerts.get(ann, ofBob.id)).toBeUndefined()
  expect(await stores.alerts.history(ann, ofBob.id)).toEqual([])
})

test('row 68: a webhook reaches no private address, by number or by name, and follows no redirect', async () => {
  const accountId = await jobs.account()
  const { port } = new URL(receiver.url)
  const ids = []
  for (const url of [receiver.url, `http://internal.example:${port}/`, 'http://[::1]:1/']) {
    const { id } = await jobs.addWebhook(accountId, url)
    await stores.webhooks.test(accountId, id)
    ids.push(id)
  }
  await jobs.webhookDelivery({ allowed: [] }).run()
  expect(receiver.messages).toEqual([])
  for (const id of ids) {
    const [last] = await stores.webhooks.deliveries(accountId, id)
    expect(last!.error).toBe('The URL leads to a private or reserved address.')
  }
  const redirecting = await jobs.addWebhook(accountId, `${receiver.url}/302`)
  await stores.webhooks.test(accountId, redirecting.id)
  await jobs.webhookDelivery().run()
  expect(receiver.messages.filter(({ path }) => path === '/302' || path === '/elsewhere')).toHaveLength(1)
  const deliveries = await stores.webhooks.deliveries(accountId, redirecting.id)
  expect(deliveries).toMatchObject([{ state: 'waiting', status: 302 }])
})

test('measures, filters and groups', async () => {
  const accountId = await jobs.account()
  const [tokenId, apiKeyId] = [uuidv7(), uuidv7()]
  const ofAcme = { model: 'a', responseTimeMs: 100, tags: { customer: 'acme' }, tokenId, apiKeyId }
  const ofNobody = { model: 'b', responseTimeMs: 5_000, tags: {}, tokenId: null, apiKeyId: null }
  // Only the five minutes before the start are measured.
  for (const minutes of [0, 6]) await jobs.addRequests(accountId, minutes, [{ status: 500, model: 'other' }])
  await jobs.addRequests(accountId, 5, [
    { ...ofAcme, status: 500, costNanoUsd: 1_000_000_000 },
    { ...ofAcme, status: 200, costNanoUsd: null },
    // Of two requests without a response.
    { ...ofNobody, status: 0, costNanoUsd: 2_000_000_000, requestCount: 2 },
  ])
  const all = { status: 'all', method: 'all' } as const
  const values = async (changes: Parameters<typeof jobs.addAlert>[1]) => {
    const { id } = await jobs.addAlert(accountId, { mail: false, ...changes })
    await jobs.evaluation(1).run()
    const alert = await stores.alerts.get(accountId, id)
    await sql`delete from alerts where id = ${id}`
    return Object.fromEntries(alert!.groups.map(({ group, value }) => [group, value]))
  }
  expect(await values({ measure: 'requests' })).toEqual({ '': 4 })
  expect(await values({ measure: 'requests', group: 'tag:customer' })).toEqual({ acme: 2, '': 2 })
  expect(await values({ measure: 'requests', group: 'token' })).toEqual({ [tokenId]: 2, '': 2 })
  expect(await values({ measure: 'requests', group: 'key' })).toEqual({ [apiKeyId]: 2, '': 2 })
  expect(await values({ measure: 'requests', filters: { ...all, status: 'failed' } })).toEqual({ '': 3 })
  expect(await values({ measure: 'errorRate', group: 'model' })).toEqual({ a: 50, b: 100 })
  expect(await values({ measure: 'errorRate', group: 'tag:customer' })).toEqual({ acme: 50, '': 100 })
  expect(await values({ measure: 'cost', filters: { ...all, model: ['a'], not: ['model'] } })).toEqual({ '': 2 })
  expect(await values({ measure: 'cost', filters: { ...all, tag: ['customer:acme'] }, group: 'endpoint' })).toEqual({
    '/v1/chat/completions': 1,
  })
  const p95 = await values({ measure: 'p95', group: 'model' })
  expect(await values({ measure: 'p95', group: 'model', filters: { ...all, retried: 'false' } })).toEqual(p95)
  expect(p95['b']! / 5_000).toBeCloseTo(1, 1)
  expect(await values({ measure: 'p95', group: 'endpoint' })).toEqual({ '/v1/chat/completions': p95['b'] })
})

test('a new group with the most requests fires, however many others are known', async () => {
  const accountId = await jobs.account()
  const customers = Array.from({ length: 50 }, (_, at) => ({ tags: { customer: `c${at}` } }))
  await jobs.addRequests(accountId, 2, customers)
  await jobs.addAlert(accountId, { group: 'tag:customer' })
  await round(1)
  expect(await stateOf(accountId)).toHaveLength(50)
  const newcomer = { status: 500, tags: { customer: 'newcomer' } }
  await jobs.addRequests(accountId, 0, [newcomer, newcomer])
  await round(2)
  const states = await stateOf(accountId)
  expect(states[0]).toEqual(['newcomer', 'firing', 100])
  expect(states).toHaveLength(51)
  expect(jobs.mails.splice(0).map(({ text }) => text)).toEqual([expect.stringContaining('newcomer: 100 %')])
})

test.each(['model', 'tag:customer'])('a %s with a NUL, which Postgres cannot store, fires once', async (group) => {
  const accountId = await jobs.account()
  await jobs.addRequests(accountId, 2, [{ status: 500, model: 'a\0', tags: { customer: 'b\0' } }])
  await jobs.addAlert(accountId, { group })
  await round(1)
  await round(2)
  expect(subjects()).toEqual(['Alert: Errors'])
})

/** A token that has spent 75 % of its budget. */
async function addToken(accountId: string) {
  const [token] = await sql<[{ id: string }]>`
    insert into secure_tokens (id, account_id, name, token_hash, sealed_token, masked_token, daily_budget_nano_usd)
    values (gen_random_uuid(), ${accountId}, 'ci', sha256(${accountId}), 'a', 'm', 2000000000) returning id`
  const period = { spentNanoUsd: 1_500_000_000, reservedNanoUsd: 0 }
  return { token, spending: { read: async () => new Map([[token.id, { day: period, month: period }]]) } }
}

test('a budget is evaluated by token, and reported with its name, also once the alert measures something else', async () => {
  const accountId = await jobs.account()
  const { token, spending } = await addToken(accountId)
  const filters = { status: 'all' as const, method: 'all' as const, token: [token.id] }
  const { id } = await jobs.addAlert(accountId, { measure: 'budget', threshold: 50, filters })
  await jobs.evaluation(1, spending).run()
  await jobs.delivery().run()
  expect(await stateOf(accountId)).toEqual([[token.id, 'firing', 75]])
  expect((await stores.alerts.get(accountId, id))!.judgedUntil).toEqual(jobs.at(1))
  expect(jobs.mails[0]!.text).toContain('ci: 75 %')
  expect(jobs.mails[0]!.text).toContain('Filters: token ci')
  await stores.alerts.change(accountId, id, { measure: 'cost', group: 'model' }, source)
  expect(await stores.alerts.history(accountId, id)).toMatchObject([{ value: 75, measure: 'budget', groupedBy: null }])
})

test('an alert that cannot be evaluated does not stop the others', async () => {
  const accountId = await jobs.account()
  await addToken(accountId)
  await jobs.addRequests(accountId, 2, failing)
  for (const measure of ['budget', 'errorRate'] as const) await jobs.addAlert(accountId, { measure })
  await jobs.evaluation(1, { read: () => Promise.reject(new Error('Redis is down')) }).run()
  await jobs.delivery().run()
  expect(subjects()).toEqual(['Alert: Errors'])
})

test('an alert that was evaluated while the clock was a day ahead is evaluated again once it is right', async () => {
  const accountId = await jobs.account()
  const { id } = await jobs.addAlert(accountId)
  await jobs.evaluation(24 * 60).run()
  await jobs.addRequests(accountId, 1, [{ status: 500 }])
  await jobs.evaluation(2).run()
  const [alert] = await jobs.stores.alerts.list(accountId)
  expect(alert).toMatchObject({ id, groups: [{ state: 'firing' }] })
})

test('a change during an evaluation is kept, and evaluated in the next round', async () => {
  const accountId = await jobs.account()
  await jobs.addRequests(accountId, 2, failing)
  const { id } = await jobs.addAlert(accountId)
  await jobs.evaluation(1).run()
  await stores.alerts.change(accountId, id, { threshold: 60 }, source)
  expect((await stores.alerts.get(accountId, id))!.judgedUntil).toBeNull()
  await jobs.evaluation(1).run()
  expect(await stateOf(accountId)).toEqual([['', 'ok', 50]])
  await stores.alerts.change(accountId, id, { threshold: 20 }, source)
  await round(1)
  expect(subjects()).toEqual(['Alert: Errors', 'Resolved: Errors', 'Alert: Errors'])
  await stores.alerts.change(accountId, id, { enabled: false, threshold: 1 }, source)
  await jobs.evaluation(1).run()
  expect((await stores.alerts.get(accountId, id))!.judgedUntil).toBeNull()
})

test('an alert whose filters or measure changed forgets groups that it no longer measures', async () => {
  const accountId = await jobs.account()
  const { token, spending } = await addToken(accountId)
  await jobs.addRequests(accountId, 2, [{ model: 'a' }, { model: 'b' }, { model: 'c' }])
  const filters = { status: 'all', method: 'all' } as const
  const byModel = { measure: 'requests', comparison: 'under', threshold: 1, group: 'model' } as const
  const { id } = await jobs.addAlert(accountId, { ...byModel, filters: { ...filters, model: ['a', 'b'] } })
  await jobs.evaluation(1).run()
  const statesAfter = async (changes: ChangeAlert) => {
    await stores.alerts.change(accountId, id, changes, source)
    await jobs.evaluation(1, spending).run()
    await jobs.delivery().run()
    return (await stateOf(accountId)).toSorted()
  }
  expect(await statesAfter({ filters: { ...filters, model: ['b', 'c'] } })).toEqual([
    ['b', 'ok', 1],
    ['c', 'ok', 1],
  ])
  const budget = { measure: 'budget', comparison: 'over', threshold: 80 } as const
  expect(await statesAfter(budget)).toEqual([[token.id, 'ok', 75]])
  expect(await statesAfter(byModel)).toEqual([
    ['b', 'ok', 1],
    ['c', 'ok', 1],
  ])
  expect(subjects()).toEqual([])
})

test('an alert for all requests is resolved if its new filters leave nothing to report', async () => {
  const accountId = await jobs.account()
  await jobs.addRequests(accountId, 2, [{ status: 500, model: 'a' }, { model: 'b' }])
  const { id } = await jobs.addAlert(accountId)
  await round(1)
  await stores.alerts.change(accountId, id, { filters: { status: 'all', method: 'all', model: ['b'] } }, source)
  await round(1)
  expect(subjects()).toEqual(['Alert: Errors', 'Resolved: Errors'])
})
