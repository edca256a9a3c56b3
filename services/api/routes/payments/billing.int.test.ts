import { describe, expect, test, vi } from 'vitest'
import { day, minute } from '#core/units.ts'
import { insertAccount } from '#store/postgres/account.fixture.ts'
import { daysUntil, openBilling, startBilling } from './billing.fixture.ts'

const { billing, sql } = await openBilling()
const conflict = (code: string) => ({ status: 409, body: { code } })

test('an approved payment makes the account Pro for a month, at once', async () => {
  const accountId = await billing.newAccount()
  expect(await billing.get(accountId, '/api/billing')).toEqual({
    plan: 'free',
    status: 'active',
    nextBillingDate: null,
    paymentMethod: null,
    usage: { today: { used: 2, limit: 5, remaining: 3 }, month: { used: 40, limit: null, remaining: null } },
    contactEmail: 'sales@example.com',
  })
  const orderId = await billing.order(accountId)
  expect(await billing.capture(accountId, orderId)).toMatchObject(conflict('payment-not-approved'))

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
  expect(await billing.actionsOf(accountId)).toEqual(['plan-changed', 'payment-captured'])
})

test('the usage of a limited period is what the proxies enforce, also if it is nothing yet; otherwise what is logged; a day and a month can both be limited', async () => {
  const accountId = await insertAccount(sql, { plan: 'basic' })
  const usage = async () => (await billing.get(accountId, '/api/billing')).usage
  billing.setQuotaUsage(async () => ({ today: 7, month: 0 }))
  expect(await usage()).toEqual({
    today: { used: 7, limit: 100, remaining: 93 },
    month: { used: 0, limit: 10_000, remaining: 10_000 },
  })
  billing.setQuotaUsage(() => Promise.reject(new Error('Redis is down')))
  expect(await usage()).toMatchObject({ today: { used: 2 }, month: { used: 40 } })
})

test('without ClickHouse, an account still sees that its plan has to be renewed, and what is left of a limit', async () => {
  const overdue = await insertAccount(sql, { plan: 'pro', planUntil: new Date(Date.now() - day) })
  billing.setQuotaUsage(async () => ({ today: 3, month: 0 }))
  billing.setLoggedUsage(() => Promise.reject(new Error('ClickHouse is down')))
  const known = { status: 'grace', contactEmail: 'sales@example.com', usage: { today: null, month: null } }
  expect(await billing.get(overdue, '/api/billing')).toMatchObject(known)
  const { usage } = await billing.get(await billing.newAccount(), '/api/billing')
  expect(usage).toEqual({ today: { used: 3, limit: 5, remaining: 2 }, month: null })
})

test('plans have the limits of this server', async () => {
  const table = await billing.get(await billing.newAccount(), '/api/plans')
  expect(table.pro).toMatchObject({ price: '$29', badge: 'Recommended', buttonText: 'Upgrade to Pro' })
  expect(table.basic.limits.tokens).toBe(6)
})

test('the browser gets a token and the URL of the script', async () => {
  const setup = await billing.get(await billing.newAccount(), '/api/paypal/setup')
  expect(setup.clientToken).toMatch(/^client-token-/)
  expect(await (await fetch(setup.scriptUrl)).text()).toContain('createPayPalOneTimePaymentSession')
})

test('a second payment adds a second month', async () => {
  const accountId = await billing.newAccount()
  await billing.paid(accountId)
  await billing.paid(accountId)
  expect(daysUntil((await billing.get(accountId, '/api/billing')).nextBillingDate)).toBeGreaterThan(58)
})

test('a plan that the operator grants to an account that has paid before has no method of payment', async () => {
  const accountId = await billing.newAccount()
  await billing.paid(accountId)
  await sql`update accounts set plan = 'enterprise', plan_until = null where id = ${accountId}`
  expect(await billing.get(accountId, '/api/billing')).toMatchObject({ plan: 'enterprise', paymentMethod: null })
})

test('a plan that ends within three days, or did before, says so and can be renewed', async () => {
  for (const [days, status] of [
    [3.1, 'active'],
    [2.9, 'ending'],
    [-1, 'grace'],
  ] as const) {
    const planUntil = new Date(Date.now() + days * day)
    const accountId = await insertAccount(sql, { plan: 'pro', planUntil })
    expect((await billing.get(accountId, '/api/billing')).status).toBe(status)
    await billing.paid(accountId)
    expect((await billing.get(accountId, '/api/billing')).status).toBe('active')
  }
})

test.each(['pro', 'enterprise'])('an account that has %s without an end can not pay', async (plan) => {
  const accountId = await insertAccount(sql, { plan })
  expect(await billing.post(accountId, '/api/paypal/order', {})).toMatchObject(conflict('already-subscribed'))
})

test.each(['pro', 'enterprise'])('nor is it charged for an order that it made before it had %s', async (plan) => {
  const accountId = await billing.newAccount()
  const orderId = await billing.order(accountId)
  await sql`update accounts set plan = ${plan} where id = ${accountId}`
  billing.paypal.ledger.approve(orderId)
  expect(await billing.capture(accountId, orderId)).toMatchObject(conflict('already-subscribed'))
  expect(billing.ledgerOrder(orderId).status).toBe('APPROVED')
})

describe('payments that must not be credited, or only once', () => {
  test('another price, currency or intent in the request has no effect', async () => {
    const accountId = await billing.newAccount()
    const forged = { amount: '0.01', currency: 'JPY', intent: 'X' }
    const response = await billing.post(accountId, '/api/paypal/order', forged)
    expect(response).toMatchObject({ status: 201, body: { amount: '29.00', currency: 'USD', plan: 'pro' } })
    expect(billing.paypal.ledger.get(response.body.id).amount).toEqual({ currency_code: 'USD', value: '29.00' })
  })

  test('20 parallel captures and a later one credit one month', async () => {
    const { accountId, orderId } = await billing.approved()
    const before = billing.paypal.ledger.captures
    const responses = await Promise.all(Array.from({ length: 20 }, () => billing.capture(accountId, orderId)))
    responses.push(await billing.capture(accountId, orderId))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(responses.map(({ body }) => body.nextBillingDate)).size).toBe(1)
    expect(billing.paypal.ledger.captures - before).toBe(1)
    expect(daysUntil(responses[0]!.body.nextBillingDate)).toBeLessThan(32)
  })

  test("someone else's order does not exist", async () => {
    const { orderId } = await billing.approved()
    expect(await billing.capture(await billing.newAccount(), orderId)).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    })
    expect(billing.ledgerOrder(orderId).status).toBe('APPROVED')
  })

  test('an order that this server did not make does not exist', async () => {
    const foreign = billing.paypal.ledger.create(undefined, { currency_code: 'USD', value: '29.00' }, undefined)
    billing.paypal.ledger.approve(foreign.id)
    expect(await billing.capture(await billing.newAccount(), foreign.id)).toMatchObject({ status: 404 })
  })

  test.each([
    ['amount', (order: { amount: object }) => (order.amount = { currency_code: 'USD', value: '2.90' })],
    ['notation', (order: { amount: object }) => (order.amount = { currency_code: 'USD', value: '29.00e0' })],
    ['currency', (order: { amount: object }) => (order.amount = { currency_code: 'MXN', value: '29.00' })],
    ['payee', (order: { payeeId: string }) => (order.payeeId = 'SOMEBODYELSE')],
  ])('wrong %s: the plan stays', async (_what, tamper) => {
    const accountId = await billing.newAccount()
    const orderId = await billing.order(accountId)
    tamper(billing.ledgerOrder(orderId) as never)
    billing.paypal.ledger.approve(orderId)
    expect(await billing.capture(accountId, orderId)).toMatchObject(conflict('payment-mismatch'))
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 409 })
    expect((await billing.get(accountId, '/api/billing')).plan).toBe('free')
  })

  test.each([
    ['an hour ago', { created_at: new Date(Date.now() - 61 * minute) }],
    ['at another price', { amount_cents: 1_900 }],
  ])('an order that was begun %s is not offered again', async (_when, changes) => {
    const accountId = await billing.newAccount()
    const orderId = await billing.order(accountId)
    await sql`update orders set ${sql(changes)} where account_id = ${accountId}`
    expect(await billing.order(accountId)).not.toBe(orderId)
  })

  test('two orders that are begun at once are one', async () => {
    const accountId = await billing.newAccount()
    const begun = await Promise.all(Array.from({ length: 4 }, () => billing.order(accountId)))
    expect(new Set(begun).size).toBe(1)
  })

  test('a payment is credited although the response to its capture was lost', async () => {
    const { accountId, orderId } = await billing.approved()
    const { ledger } = billing.paypal
    const capture = ledger.capture.bind(ledger)
    vi.spyOn(ledger, 'capture').mockImplementationOnce((...call) => {
      capture(...call)
      throw new Error('The response is lost.')
    })
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 200, body: { state: 'captured' } })
  })

  test('of two approved orders, one is captured', async () => {
    const { accountId, orderId } = await billing.approved()
    const anotherId = await billing.order(accountId)
    billing.paypal.ledger.approve(anotherId)
    expect(await billing.capture(accountId, anotherId)).toMatchObject({ status: 200 })
    expect(await billing.capture(accountId, orderId)).toMatchObject(conflict('already-subscribed'))
    expect(billing.ledgerOrder(orderId).status).toBe('APPROVED')
  })

  test('an order that was begun before a payment is not offered again after it', async () => {
    const { accountId, orderId } = await billing.approved()
    const anotherId = await billing.order(accountId)
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 200 })
    await billing.paid(accountId)
    expect(billing.ledgerOrder(anotherId).status).toBe('CREATED')
  })

  test('an approved order is not captured if an earlier one turns out to be paid', async () => {
    const { accountId, orderId } = await billing.approved()
    const anotherId = await billing.order(accountId)
    billing.paypal.ledger.approve(anotherId)
    billing.paypal.ledger.capture(undefined, orderId)
    expect(await billing.capture(accountId, anotherId)).toMatchObject(conflict('already-subscribed'))
    expect(billing.ledgerOrder(anotherId).status).toBe('APPROVED')
    expect((await billing.get(accountId, '/api/billing')).plan).toBe('pro')
  })

  test.each(['0 minutes', '2 hours'])(
    'a late payment of an order begun %s ago is credited before another',
    async (age) => {
      const { accountId, orderId } = await billing.approved()
      await sql`update orders set created_at = now() - ${age}::interval where account_id = ${accountId}`
      // PayPal has not captured the first one yet.
      const anotherId = await billing.order(accountId)
      expect(anotherId).not.toBe(orderId)
      billing.paypal.ledger.capture(undefined, orderId)
      const again = await billing.post(accountId, '/api/paypal/order', {})
      expect(again).toMatchObject(conflict('already-subscribed'))
      expect((await billing.get(accountId, '/api/billing')).plan).toBe('pro')
    },
  )

  test('while PayPal has not decided on a payment, no other one can be made', async () => {
    const { accountId, orderId } = await billing.approved('takes its time')
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 200, body: { state: 'pending' } })
    const again = () => billing.post(accountId, '/api/paypal/order', {})
    expect(await again()).toMatchObject(conflict('payment-pending'))
    expect(await billing.get(accountId, '/api/paypal/setup')).toMatchObject({ code: 'payment-pending' })
    billing.ledgerOrder(orderId).capture!.status = 'COMPLETED'
    const setups = await Promise.all(Array.from({ length: 9 }, () => billing.get(accountId, '/api/paypal/setup')))
    expect(setups.some(({ code }) => code === 'already-subscribed')).toBe(true)
    const paid = await billing.get(accountId, '/api/billing')
    expect(paid.plan).toBe('pro')
    expect(daysUntil(paid.nextBillingDate)).toBeLessThan(32)
  })

  test('an order of another PayPal account is not found, and does not stand in the way of a new one', async () => {
    const accountId = await billing.newAccount()
    const orderId = await billing.order(accountId)
    const other = await startBilling(sql)
    expect(await other.capture(accountId, orderId)).toMatchObject({ status: 404, body: { code: 'not-found' } })
    await other.paid(accountId)
    await other.stop()
  })

  test('a declined card is reported, and another order can be paid another way', async () => {
    const { accountId, orderId } = await billing.approved('declines')
    expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 402, body: { code: 'payment-declined' } })
    // PayPal rejects an order after too many attempts.
    const anotherId = await billing.order(accountId)
    expect(anotherId).not.toBe(orderId)
    billing.paypal.ledger.approve(anotherId)
    expect(await billing.capture(accountId, anotherId)).toMatchObject({ status: 200 })
  })

  test('so can one after many that were declined', async () => {
    const accountId = await billing.newAccount()
    const declined = new Set<string>()
    for (let time = 0; time < 11; time += 1) {
      const orderId = await billing.order(accountId)
      billing.paypal.ledger.approve(orderId, 'declines')
      expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 402 })
      declined.add(orderId)
    }
    expect(declined).not.toContain(await billing.order(accountId))
    await billing.paid(accountId)
  })
})

test('calls that reach PayPal are limited, by account', async () => {
  const { accountId, orderId } = await billing.approved()
  const counted: string[][] = []
  billing.setThrottle(async (...call) => void counted.push(call))
  await billing.get(accountId, '/api/paypal/setup')
  await billing.order(accountId)
  await billing.capture(accountId, orderId)
  expect(counted).toEqual(Array.from({ length: 3 }, () => ['payment', accountId]))
})

test('an error response while PayPal is unavailable', async () => {
  const broken = await startBilling(sql)
  await broken.paypal.app.close()
  const accountId = await billing.newAccount()
  const response = await broken.post(accountId, '/api/paypal/order', {})
  expect(response).toMatchObject({ status: 502, body: { code: 'payment-provider-failed' } })
  expect(JSON.stringify(response.body)).not.toContain('secret')
  await broken.stop()
})
