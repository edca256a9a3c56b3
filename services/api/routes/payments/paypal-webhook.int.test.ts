import { expect, test } from 'vitest'
import { daysUntil, openBilling } from './billing.fixture.ts'

const { billing, sql } = await openBilling()

test('a payment that the browser never reported is credited once', async () => {
  const { accountId, orderId } = await billing.approved()
  billing.paypal.ledger.capture(undefined, orderId)
  const message = billing.paypal.message('PAYMENT.CAPTURE.COMPLETED', billing.ledgerOrder(orderId))
  for (let time = 0; time < 3; time += 1) expect(await billing.webhook(message)).toBe(204)
  expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 200, body: { state: 'captured' } })
  const { plan, nextBillingDate } = await billing.get(accountId, '/api/billing')
  expect(plan).toBe('pro')
  expect(daysUntil(nextBillingDate)).toBeLessThan(32)
})

test('a pending payment is credited when it completes', async () => {
  const { accountId, orderId } = await billing.approved('takes its time')
  expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 200, body: { state: 'pending' } })
  expect((await billing.get(accountId, '/api/billing')).plan).toBe('free')
  billing.ledgerOrder(orderId).capture!.status = 'COMPLETED'
  await billing.webhook(billing.paypal.message('PAYMENT.CAPTURE.COMPLETED', billing.ledgerOrder(orderId)))
  expect((await billing.get(accountId, '/api/billing')).plan).toBe('pro')
})

test('a refund takes the plan back, once', async () => {
  const accountId = await billing.newAccount()
  const [first, second] = [await billing.paid(accountId), await billing.paid(accountId)]
  billing.paypal.ledger.refund(billing.ledgerOrder(second).capture!.id)
  const message = billing.paypal.message('PAYMENT.CAPTURE.REFUNDED', billing.ledgerOrder(second))
  await Promise.all([billing.webhook(message), billing.webhook(message)])
  const left = await billing.get(accountId, '/api/billing')
  expect(left.plan).toBe('pro')
  expect(daysUntil(left.nextBillingDate)).toBeLessThan(32)

  await billing.webhook(billing.paypal.message('PAYMENT.CAPTURE.REVERSED', billing.ledgerOrder(first)))
  expect(await billing.get(accountId, '/api/billing')).toMatchObject({ plan: 'free', nextBillingDate: null })
  expect(await billing.actionsOf(accountId)).toEqual([
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
  const accountId = await billing.newAccount()
  const first = await billing.paid(accountId)
  await sql`
    update orders set paid_from = paid_from - interval '3 months', paid_until = paid_until - interval '3 months'
    where paypal_order_id = ${first}`
  await sql`update accounts set plan = 'free', plan_until = null where id = ${accountId}`
  await billing.paid(accountId)
  await billing.webhook(billing.paypal.message('PAYMENT.CAPTURE.REVERSED', billing.ledgerOrder(first)))
  const left = await billing.get(accountId, '/api/billing')
  expect(left.plan).toBe('pro')
  expect(daysUntil(left.nextBillingDate)).toBeGreaterThan(27)
})

test.each(['pro', 'enterprise'])(
  'a payment adds no time to %s without an end, and its refund takes none from a later one',
  async (plan) => {
    const accountId = await billing.newAccount()
    const first = await billing.order(accountId)
    await sql`update accounts set plan = ${plan} where id = ${accountId}`
    billing.paypal.ledger.approve(first)
    billing.paypal.ledger.capture(undefined, first)
    await billing.webhook(billing.paypal.message('PAYMENT.CAPTURE.COMPLETED', billing.ledgerOrder(first)))
    expect(await billing.get(accountId, '/api/billing')).toMatchObject({ plan, nextBillingDate: null })
    await sql`update accounts set plan = 'free' where id = ${accountId}`
    await billing.paid(accountId)
    await billing.webhook(billing.paypal.message('PAYMENT.CAPTURE.REVERSED', billing.ledgerOrder(first)))
    expect(daysUntil((await billing.get(accountId, '/api/billing')).nextBillingDate)).toBeGreaterThan(27)
    expect(await billing.actionsOf(accountId)).toContain('payment-refunded')
  },
)

test('messages do not count as calls of the account, which could keep its refunds away; forged ones count by sender', async () => {
  const message = billing.paypal.message(
    'PAYMENT.CAPTURE.REVERSED',
    billing.ledgerOrder(await billing.paid(await billing.newAccount())),
  )
  const counted: string[] = []
  billing.setThrottle(async (limit) => void counted.push(limit))
  expect(await billing.webhook({ ...message, body: message.body.replace('{', '{ ') })).toBe(403)
  expect([counted, billing.forgiven]).toEqual([['paymentMessage'], []])
  expect(await billing.webhook(message)).toBe(204)
  expect([counted.length, billing.forgiven]).toEqual([2, ['paymentMessage']])
})

test('forged, changed and unsigned messages do nothing', async () => {
  const accountId = await billing.newAccount()
  const orderId = await billing.paid(accountId)
  const signed = billing.paypal.message('PAYMENT.CAPTURE.COMPLETED', billing.ledgerOrder(orderId))
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
