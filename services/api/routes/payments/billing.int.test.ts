import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day } from '#core/units.ts'
import { insertAccount } from '#store/postgres/account.fixture.ts'
import { createTestDatabase, type TestDatabase } from '#tools/test/stores.ts'
import { startBilling } from './billing.fixture.ts'

let database: TestDatabase
let billing: Awaited<ReturnType<typeof startBilling>>

beforeAll(async () => {
  database = await createTestDatabase()
  billing = await startBilling(database.sql)
})

afterAll(async () => {
  await billing.stop()
  await database.drop()
})

const ledgerOrder = (orderId: string) => billing.paypal.ledger.get(orderId)
const newAccount = () => insertAccount(database.sql)
const actionsOf = async (accountId: string) =>
  (await database.sql`select action from audit_entries where account_id = ${accountId} order by id`).map(
    ({ action }) => action,
  )
const daysUntil = (iso: string) => (Date.parse(iso) - Date.now()) / day

async function paid(accountId: string): Promise<string> {
  const orderId = await billing.order(accountId)
  billing.paypal.ledger.approve(orderId)
  expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 200, body: { state: 'captured' } })
  return orderId
}

test('an approved payment makes the account Pro for a month, at once', async () => {
  const accountId = await newAccount()
  expect(await billing.get(accountId, '/api/billing')).toEqual({
    plan: 'free',
    status: 'active',
    nextBillingDate: null,
    paymentMethod: null,
    usage: { today: { used: 2, limit: 5, remaining: 3 }, month: { used: 40, limit: null, remaining: null } },
    contactEmail: 'sales@example.com',
  })
  const orderId = await billing.order(accountId)
  expect(await billing.capture(accountId, orderId)).toMatchObject({
    status: 409,
    body: { code: 'payment-not-approved' },
  })

  billing.paypal.ledger.approve(orderId)
  const captured = await billing.capture(accountId, orderId)
  expect(captured).toMatchObject({
    status: 200,
    body: { id: orderId, state: 'captured', subscriptionStatus: 'pro', amount: '29.00', currency: 'USD' },
  })
  expect(daysUntil(captured.body.nextBillingDate)).toBeGreaterThan(27)
  expect(await billing.get(accountId, '/api/billing')).toMatchObject({
    plan: 'pro',
    status: 'active',
    nextBillingDate: captured.body.nextBillingDate,
    paymentMethod: 'PayPal (b•••@example.com)',
  })
  expect(billing.invalidated).toContain(accountId)
  expect(await actionsOf(accountId)).toEqual(['plan-changed', 'payment-captured'])
})

test('the usage of a limited period is what the proxies enforce, also if it is nothing yet; otherwise what is logged; a day and a month can both be limited', async () => {
  const accountId = await insertAccount(database.sql, { plan: 'basic' })
  const usage = async () => (await billing.get(accountId, '/api/billing')).usage
  billing.setQuotaUsage(async () => ({ today: 7, month: 0 }))
  expect(await usage()).toEqual({
    today: { used: 7, limit: 100, remaining: 93 },
    month: { used: 0, limit: 10_000, remaining: 10_000 },
  })
  billing.setQuotaUsage(() => Promise.reject(new Error('Redis is down')))
  expect(await usage()).toMatchObject({ today: { used: 2 }, month: { used: 40 } })
})

test('plans have the limits of this server', async () => {
  const table = await billing.get(await newAccount(), '/api/plans')
  expect(table.pro).toMatchObject({ price: '$29', badge: 'Recommended', buttonText: 'Upgrade to Pro' })
  expect(table.basic.limits.tokens).toBe(6)
})

test('the browser gets a token and the URL of the script', async () => {
  const setup = await billing.get(await newAccount(), '/api/paypal/setup')
  expect(setup.clientToken).toMatch(/^client-token-/)
  expect(await (await fetch(setup.scriptUrl)).text()).toContain('createPayPalOneTimePaymentSession')
})

test('a second payment adds a second month', async () => {
  const accountId = await newAccount()
  await paid(accountId)
  await paid(accountId)
  expect(daysUntil((await billing.get(accountId, '/api/billing')).nextBillingDate)).toBeGreaterThan(58)
})

test('a plan that ends within three days, or did before, says so and can be renewed', async () => {
  for (const [days, status] of [
    [3.1, 'active'],
    [2.9, 'ending'],
    [-1, 'grace'],
  ] as const) {
    const planUntil = new Date(Date.now() + days * day)
    const accountId = await insertAccount(database.sql, { plan: 'pro', planUntil })
    expect((await billing.get(accountId, '/api/billing')).status).toBe(status)
    await paid(accountId)
    expect((await billing.get(accountId, '/api/billing')).status).toBe('active')
  }
})

test('an account with a higher plan can not pay', async () => {
  const accountId = await insertAccount(database.sql, { plan: 'enterprise' })
  const response = await billing.post(accountId, '/api/paypal/order', {})
  expect(response).toMatchObject({ status: 409, body: { code: 'already-subscribed' } })
})

describe('payments that must not be credited, or only once', () => {
  test('another price, currency or intent in the request has no effect', async () => {
    const accountId = await newAccount()
    const response = await billing.post(accountId, '/api/paypal/order', {
      amount: '0.01',
      currency: 'JPY',
      intent: 'X',
    })
    expect(response).toMatchObject({ status: 201, body: { amount: '29.00', currency: 'USD', plan: 'pro' } })
    expect(billing.paypal.ledger.get(response.body.id).amount).toEqual({ currency_code: 'USD', value: '29.00' })
  })

  test('20 parallel captures and a later one credit one month', async () => {
    const accountId = await newAccount()
    const orderId = await billing.order(accountId)
    billing.paypal.ledger.approve(orderId)
    const before = billing.paypal.ledger.captures
    const responses = await Promise.all(Array.from({ length: 20 }, () => billing.capture(accountId, orderId)))
    responses.push(await billing.capture(accountId, orderId))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(responses.map(({ body }) => body.nextBillingDate)).size).toBe(1)
    expect(billing.paypal.ledger.captures - before).toBe(1)
    expect(daysUntil(responses[0]!.body.nextBillingDate)).toBeLessThan(32)
  })

  test("someone else's order does not exist", async () => {
    const [owner, stranger] = [await newAccount(), await newAccount()]
    const orderId = await billing.order(owner)
    billing.paypal.ledger.approve(orderId)
    expect(await billing.capture(stranger, orderId)).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect(ledgerOrder(orderId).status).toBe('APPROVED')
  })

  test('an order that this server did not make does not exist', async () => {
    const foreign = billing.paypal.ledger.create(undefined, { currency_code: 'USD', value: '29.00' }, undefined)
    billing.paypal.ledger.approve(foreign.id)
    expect(await billing.capture(await newAccount(), foreign.id)).toMatchObject({ status: 404 })
  })

  test.each([
    ['amount', (order: { amount: object }) => (order.amount = { currency_code: 'USD', value: '2.90' })],
    ['notation', (order: { amount: object }) => (order.amount = { currency_code: 'USD', value: '29.00e0' })],
    ['currency', (order: { amount: object }) => (order.amount = { currency_code: 'MXN', value: '29.00' })],
    ['payee', (order: { payeeId: string }) => (order.payeeId = 'SOMEBODYELSE')],
  ])('wrong %s: the plan stays', async (_what, tamper) => {
    const accountId = await newAccount()
    const orderId = await billing.order(accountId)
    tamper(ledgerOrder(orderId) as never)
    billing.paypal.ledger.approve(orderId)
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 409, body: { code: 'payment-mismatch' } })
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 409 })
    expect((await billing.get(accountId, '/api/billing')).plan).toBe('free')
  })

  test('a declined card is reported, and the order can be paid another way', async () => {
    const accountId = await newAccount()
    const orderId = await billing.order(accountId)
    billing.paypal.ledger.approve(orderId, 'declines')
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 402, body: { code: 'payment-declined' } })
    expect(await billing.order(accountId)).toBe(orderId)
    billing.paypal.ledger.approve(orderId, 'pays')
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 200 })
  })
})

describe('webhooks', () => {
  test('a payment that the browser never reported is credited once', async () => {
    const accountId = await newAccount()
    const orderId = await billing.order(accountId)
    billing.paypal.ledger.approve(orderId)
    billing.paypal.ledger.capture(undefined, orderId)
    const message = billing.paypal.message('PAYMENT.CAPTURE.COMPLETED', ledgerOrder(orderId))
    for (let time = 0; time < 3; time += 1) expect(await billing.webhook(message)).toBe(204)
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 200, body: { state: 'captured' } })
    const { plan, nextBillingDate } = await billing.get(accountId, '/api/billing')
    expect(plan).toBe('pro')
    expect(daysUntil(nextBillingDate)).toBeLessThan(32)
  })

  test('a pending payment is credited when it completes', async () => {
    const accountId = await newAccount()
    const orderId = await billing.order(accountId)
    billing.paypal.ledger.approve(orderId, 'takes its time')
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 200, body: { state: 'pending' } })
    expect((await billing.get(accountId, '/api/billing')).plan).toBe('free')
    ledgerOrder(orderId).capture!.status = 'COMPLETED'
    await billing.webhook(billing.paypal.message('PAYMENT.CAPTURE.COMPLETED', ledgerOrder(orderId)))
    expect((await billing.get(accountId, '/api/billing')).plan).toBe('pro')
  })

  test('a refund takes the plan back, once', async () => {
    const accountId = await newAccount()
    const [first, second] = [await paid(accountId), await paid(accountId)]
    billing.paypal.ledger.refund(ledgerOrder(second).capture!.id)
    const message = billing.paypal.message('PAYMENT.CAPTURE.REFUNDED', ledgerOrder(second))
    await Promise.all([billing.webhook(message), billing.webhook(message)])
    const left = await billing.get(accountId, '/api/billing')
    expect(left.plan).toBe('pro')
    expect(daysUntil(left.nextBillingDate)).toBeLessThan(32)

    await billing.webhook(billing.paypal.message('PAYMENT.CAPTURE.REVERSED', ledgerOrder(first)))
    expect(await billing.get(accountId, '/api/billing')).toMatchObject({ plan: 'free', nextBillingDate: null })
    expect(await actionsOf(accountId)).toEqual([
      'plan-changed',
      'payment-captured',
      'payment-captured',
      'payment-refunded',
      'payment-refunded',
      'plan-changed',
    ])
    expect(await billing.capture(accountId, first)).toMatchObject({ status: 200, body: { state: 'refunded' } })
  })

  test('a refund of a month that is over takes nothing from one that was paid later', async () => {
    const accountId = await newAccount()
    const first = await paid(accountId)
    await database.sql`
      update orders set paid_from = paid_from - interval '3 months', paid_until = paid_until - interval '3 months'
      where paypal_order_id = ${first}`
    await database.sql`update accounts set plan = 'free', plan_until = null where id = ${accountId}`
    await paid(accountId)
    await billing.webhook(billing.paypal.message('PAYMENT.CAPTURE.REVERSED', ledgerOrder(first)))
    const left = await billing.get(accountId, '/api/billing')
    expect(left.plan).toBe('pro')
    expect(daysUntil(left.nextBillingDate)).toBeGreaterThan(27)
  })

  test('a refund of a payment that added no time takes none from a later one', async () => {
    const accountId = await newAccount()
    const first = await billing.order(accountId)
    await database.sql`update accounts set plan = 'enterprise' where id = ${accountId}`
    billing.paypal.ledger.approve(first)
    await billing.capture(accountId, first)
    await database.sql`update accounts set plan = 'free' where id = ${accountId}`
    await paid(accountId)
    await billing.webhook(billing.paypal.message('PAYMENT.CAPTURE.REVERSED', ledgerOrder(first)))
    expect(daysUntil((await billing.get(accountId, '/api/billing')).nextBillingDate)).toBeGreaterThan(27)
    expect(await actionsOf(accountId)).toContain('payment-refunded')
  })

  test('messages do not count as calls of the account, which could keep its refunds away; forged ones count by sender', async () => {
    const message = billing.paypal.message('PAYMENT.CAPTURE.REVERSED', ledgerOrder(await paid(await newAccount())))
    const counted: string[] = []
    billing.setThrottle(async (limit) => void counted.push(limit))
    expect(await billing.webhook({ ...message, body: message.body.replace('{', '{ ') })).toBe(403)
    expect([counted, billing.forgiven]).toEqual([['paymentMessage'], []])
    expect(await billing.webhook(message)).toBe(204)
    expect([counted.length, billing.forgiven]).toEqual([2, ['paymentMessage']])
  })

  test('forged, changed and unsigned messages do nothing', async () => {
    const accountId = await newAccount()
    const orderId = await paid(accountId)
    const signed = billing.paypal.message('PAYMENT.CAPTURE.COMPLETED', ledgerOrder(orderId))
    const forged = signed.body.replace('COMPLETED', 'REVERSED')
    expect(await billing.webhook({ ...signed, body: forged })).toBe(403)
    expect(await billing.webhook({ ...signed, body: signed.body.replace('{', '{ ') })).toBe(403)
    expect(await billing.webhook({ body: signed.body, headers: { 'content-type': 'application/json' } })).toBe(403)
    expect((await billing.get(accountId, '/api/billing')).plan).toBe('pro')
  })

  test('events about unknown orders are only acknowledged', async () => {
    const foreign = billing.paypal.ledger.create(undefined, { currency_code: 'USD', value: '29.00' }, undefined)
    expect(await billing.webhook(billing.paypal.message('PAYMENT.CAPTURE.COMPLETED', foreign))).toBe(204)
    expect(await billing.webhook(billing.paypal.message('BILLING.SUBSCRIPTION.CREATED', foreign))).toBe(204)
  })

  test.each(['', 'null', '[]', '{"id":1}', '{"id":"a","event_type":"b"}', '{'])('rejects %j', async (body) => {
    expect(await billing.webhook({ body, headers: { 'content-type': 'application/json' } })).toBe(400)
  })
})

test('an error response while PayPal is unavailable', async () => {
  const broken = await startBilling(database.sql)
  await broken.paypal.app.close()
  const accountId = await newAccount()
  const response = await broken.post(accountId, '/api/paypal/order', {})
  expect(response).toMatchObject({ status: 502, body: { code: 'payment-provider-failed' } })
  expect(JSON.stringify(response.body)).not.toContain('secret')
  await broken.stop()
})
