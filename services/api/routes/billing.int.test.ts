import fc from 'fast-check'
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

const ledgerOrder = (orderId: string) => billing.standIn.ledger.get(orderId)
const newAccount = () => insertAccount(database.sql)
const actionsOf = async (accountId: string) =>
  (await database.sql`select action from audit_entries where account_id = ${accountId} order by id`).map(
    ({ action }) => action,
  )
const daysUntil = (iso: string) => (Date.parse(iso) - Date.now()) / day

async function paid(accountId: string): Promise<string> {
  const orderId = await billing.order(accountId)
  billing.standIn.ledger.approve(orderId)
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

  billing.standIn.ledger.approve(orderId)
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

test('plans come with the limits of this server', async () => {
  const table = await billing.get(await newAccount(), '/api/plans')
  expect(table.pro).toMatchObject({ price: '$29', badge: 'Recommended', buttonText: 'Upgrade to Pro' })
  expect(table.basic.limits.tokens).toBe(6)
})

test('the browser gets a token and the address of the script', async () => {
  const setup = await billing.get(await newAccount(), '/api/paypal/setup')
  expect(setup.clientToken).toMatch(/^client-token-/)
  expect(await (await fetch(setup.scriptUrl)).text()).toContain('createPayPalOneTimePaymentSession')
})

test('a second month is added to the first one', async () => {
  const accountId = await newAccount()
  await paid(accountId)
  await paid(accountId)
  expect(daysUntil((await billing.get(accountId, '/api/billing')).nextBillingDate)).toBeGreaterThan(58)
})

test('who has more than is for sale pays nothing', async () => {
  const accountId = await insertAccount(database.sql, { plan: 'enterprise' })
  const answer = await billing.post(accountId, '/api/paypal/order', {})
  expect(answer).toMatchObject({ status: 409, body: { code: 'already-subscribed' } })
})

describe('payments that must not be credited, or only once', () => {
  test('another price, currency or intent in the call changes nothing', async () => {
    const accountId = await newAccount()
    const answer = await billing.post(accountId, '/api/paypal/order', { amount: '0.01', currency: 'JPY', intent: 'X' })
    expect(answer).toMatchObject({ status: 201, body: { amount: '29.00', currency: 'USD', plan: 'pro' } })
    expect(billing.standIn.ledger.get(answer.body.id).amount).toEqual({ currency_code: 'USD', value: '29.00' })
  })

  test('20 captures at once and one later credit one month', async () => {
    const accountId = await newAccount()
    const orderId = await billing.order(accountId)
    billing.standIn.ledger.approve(orderId)
    const before = billing.standIn.ledger.captures
    const answers = await Promise.all(Array.from({ length: 20 }, () => billing.capture(accountId, orderId)))
    answers.push(await billing.capture(accountId, orderId))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.nextBillingDate)).size).toBe(1)
    expect(billing.standIn.ledger.captures - before).toBe(1)
    expect(daysUntil(answers[0]!.body.nextBillingDate)).toBeLessThan(32)
  })

  test("someone else's order does not exist", async () => {
    const [owner, stranger] = [await newAccount(), await newAccount()]
    const orderId = await billing.order(owner)
    billing.standIn.ledger.approve(orderId)
    expect(await billing.capture(stranger, orderId)).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect(billing.standIn.ledger.get(orderId).status).toBe('APPROVED')
  })

  test('an order that this server did not make does not exist', async () => {
    const foreign = billing.standIn.ledger.create(undefined, { currency_code: 'USD', value: '29.00' }, undefined)
    billing.standIn.ledger.approve(foreign.id)
    expect(await billing.capture(await newAccount(), foreign.id)).toMatchObject({ status: 404 })
  })

  test.each([
    ['amount', (order: { amount: object }) => (order.amount = { currency_code: 'USD', value: '2.90' })],
    [
      'amount with hidden digits',
      (order: { amount: object }) => (order.amount = { currency_code: 'USD', value: '29.00e0' }),
    ],
    ['currency', (order: { amount: object }) => (order.amount = { currency_code: 'MXN', value: '29.00' })],
    ['payee', (order: { payeeId: string }) => (order.payeeId = 'SOMEBODYELSE')],
  ])('wrong %s: the plan stays', async (_what, tamper) => {
    const accountId = await newAccount()
    const orderId = await billing.order(accountId)
    tamper(billing.standIn.ledger.get(orderId) as never)
    billing.standIn.ledger.approve(orderId)
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 409, body: { code: 'payment-mismatch' } })
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 409 })
    expect((await billing.get(accountId, '/api/billing')).plan).toBe('free')
  })

  test('a declined card is told, and the order can be paid another way', async () => {
    const accountId = await newAccount()
    const orderId = await billing.order(accountId)
    billing.standIn.ledger.approve(orderId, 'declines')
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 402, body: { code: 'payment-declined' } })
    expect(await billing.order(accountId)).toBe(orderId)
    billing.standIn.ledger.approve(orderId, 'pays')
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 200 })
  })
})

describe('webhooks', () => {
  test('a payment that the browser never reported is credited once', async () => {
    const accountId = await newAccount()
    const orderId = await billing.order(accountId)
    billing.standIn.ledger.approve(orderId)
    billing.standIn.ledger.capture(undefined, orderId)
    const message = billing.standIn.message('PAYMENT.CAPTURE.COMPLETED', ledgerOrder(orderId))
    for (let time = 0; time < 3; time += 1) expect(await billing.webhook(message)).toBe(204)
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 200, body: { state: 'captured' } })
    const { plan, nextBillingDate } = await billing.get(accountId, '/api/billing')
    expect(plan).toBe('pro')
    expect(daysUntil(nextBillingDate)).toBeLessThan(32)
  })

  test('a payment that takes its time is credited when it arrives', async () => {
    const accountId = await newAccount()
    const orderId = await billing.order(accountId)
    billing.standIn.ledger.approve(orderId, 'takes its time')
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 200, body: { state: 'pending' } })
    expect((await billing.get(accountId, '/api/billing')).plan).toBe('free')
    ledgerOrder(orderId).capture!.status = 'COMPLETED'
    await billing.webhook(billing.standIn.message('PAYMENT.CAPTURE.COMPLETED', ledgerOrder(orderId)))
    expect((await billing.get(accountId, '/api/billing')).plan).toBe('pro')
  })

  test('a refund takes the plan back, once', async () => {
    const accountId = await newAccount()
    const [first, second] = [await paid(accountId), await paid(accountId)]
    billing.standIn.ledger.refund(ledgerOrder(second).capture!.id)
    const message = billing.standIn.message('PAYMENT.CAPTURE.REFUNDED', ledgerOrder(second))
    await Promise.all([billing.webhook(message), billing.webhook(message)])
    const left = await billing.get(accountId, '/api/billing')
    expect(left.plan).toBe('pro')
    expect(daysUntil(left.nextBillingDate)).toBeLessThan(32)

    await billing.webhook(billing.standIn.message('PAYMENT.CAPTURE.REVERSED', ledgerOrder(first)))
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

  test('forged, changed and unsigned messages do nothing', async () => {
    const accountId = await newAccount()
    const orderId = await paid(accountId)
    const signed = billing.standIn.message('PAYMENT.CAPTURE.COMPLETED', ledgerOrder(orderId))
    const forged = signed.body.replace('COMPLETED', 'REVERSED')
    expect(await billing.webhook({ ...signed, body: forged })).toBe(403)
    expect(await billing.webhook({ ...signed, body: signed.body.replace('{', '{ ') })).toBe(403)
    expect(await billing.webhook({ body: signed.body, headers: { 'content-type': 'application/json' } })).toBe(403)
    expect((await billing.get(accountId, '/api/billing')).plan).toBe('pro')
  })

  test('what is not about an order of ours is only acknowledged', async () => {
    const foreign = billing.standIn.ledger.create(undefined, { currency_code: 'USD', value: '29.00' }, undefined)
    expect(await billing.webhook(billing.standIn.message('PAYMENT.CAPTURE.COMPLETED', foreign))).toBe(204)
    expect(await billing.webhook(billing.standIn.message('BILLING.SUBSCRIPTION.CREATED', foreign))).toBe(204)
  })

  test.each(['', 'null', '[]', '{"id":1}', '{"id":"a","event_type":"b"}', '{'])('%j is refused', async (body) => {
    expect(await billing.webhook({ body, headers: { 'content-type': 'application/json' } })).toBe(400)
  })
})

describe('hostile input never breaks the server', () => {
  const hostile = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('\u0000', '__proto__', "'; drop table orders; --", 'x'.repeat(5_000), '../../orders'),
  )

  test('in a webhook', async () => {
    const event = fc.record({
      id: fc.oneof(fc.constant('WH-1'), hostile),
      event_type: fc.oneof(fc.constant('PAYMENT.CAPTURE.COMPLETED'), hostile),
      resource: fc.oneof(
        hostile,
        fc.record({
          id: hostile,
          links: fc.oneof(hostile, fc.array(fc.record({ rel: fc.constant('up'), href: fc.string() }))),
          supplementary_data: fc.oneof(hostile, fc.record({ related_ids: fc.record({ order_id: hostile }) })),
        }),
      ),
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(event, hostile), async (body) => {
        const headers = { 'content-type': 'application/json' }
        expect([204, 400, 403]).toContain(await billing.webhook({ body: JSON.stringify(body), headers }))
      }),
      { numRuns: 1_000 },
    )
  })

  test('in an order and its id', async () => {
    const accountId = await newAccount()
    await fc.assert(
      fc.asyncProperty(hostile, fc.string(), async (value, id) => {
        const order = { amount: value, currency: value, intent: value } as object
        expect((await billing.post(accountId, '/api/paypal/order', order)).status).toBeLessThan(500)
        const captured = await billing.capture(accountId, encodeURIComponent(`${id}\u0000`))
        expect([400, 404]).toContain(captured.status)
      }),
      { numRuns: 300 },
    )
  })
})

test('PayPal away: the caller is told so, and nothing changes', async () => {
  const broken = await startBilling(database.sql)
  await broken.standIn.app.close()
  const accountId = await newAccount()
  const answer = await broken.post(accountId, '/api/paypal/order', {})
  expect(answer).toMatchObject({ status: 502, body: { code: 'payment-provider-failed' } })
  expect(JSON.stringify(answer.body)).not.toContain('secret')
  await broken.stop()
})
