import { afterEach, expect, test, vi } from 'vitest'
import { invalidateNothing } from '#store/postgres/account.fixture.ts'
import { createAccountStore } from '#store/postgres/accounts.ts'
import { PayPalIssue } from '#tools/fake-paypal/ledger.ts'
import { openBilling } from './billing.fixture.ts'

const { billing, sql } = await openBilling()
const { ledger } = billing.paypal
const accounts = createAccountStore(sql, invalidateNothing)
const remove = (accountId: string) => accounts.remove(accountId, { clientAddress: null, userAgent: null })

const capture = ledger.capture.bind(ledger)
afterEach(() => void vi.restoreAllMocks())

const gone = () => {
  throw new PayPalIssue(503, 'GONE')
}

async function twoApproved() {
  const { accountId, orderId } = await billing.approved()
  const anotherId = await billing.order(accountId)
  ledger.approve(anotherId)
  return { accountId, orderId, anotherId }
}

const stateOf = async (orderId: string) =>
  (await sql<{ state: string }[]>`select state from orders where paypal_order_id = ${orderId}`)[0]?.state

const countBlocked = async () =>
  (await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length

test('of two approved orders that are captured at once, one is paid', async () => {
  const { accountId, orderId, anotherId } = await twoApproved()
  const before = ledger.captures
  let responses: ReturnType<typeof billing.capture>[] = []
  await sql.begin(async (tx) => {
    await tx`select 1 from accounts where id = ${accountId} for update`
    responses = [billing.capture(accountId, orderId), billing.capture(accountId, anotherId)]
    await expect.poll(countBlocked).toBe(2)
  })
  const statuses = (await Promise.all(responses)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 409])
  expect(ledger.captures - before).toBe(1)
})

test('a payment whose capture was never stored is credited, however many orders were begun since', async () => {
  const { accountId, orderId } = await billing.approved()
  // As if the process had ended right after the capture.
  vi.spyOn(ledger, 'capture').mockImplementationOnce((...call) => {
    const captured = capture(...call)
    vi.spyOn(ledger, 'get').mockImplementation(gone)
    return captured
  })
  expect((await billing.capture(accountId, orderId)).status).toBe(502)
  vi.restoreAllMocks()
  await sql`
    insert into orders (id, account_id, paypal_order_id, plan, amount_cents, currency, payee_id)
    select gen_random_uuid(), account_id, 'UNPAID' || n, plan, amount_cents, currency, payee_id
    from orders, generate_series(1, 12) n where paypal_order_id = ${orderId}`
  expect(await billing.get(accountId, '/api/paypal/setup')).toMatchObject({ code: 'already-subscribed' })
  expect((await billing.get(accountId, '/api/billing')).plan).toBe('pro')
})

test('a capture that never reached PayPal holds up other payments and a deletion for a minute', async () => {
  const { accountId, orderId, anotherId } = await twoApproved()
  vi.spyOn(ledger, 'capture').mockImplementationOnce(gone)
  expect((await billing.capture(accountId, orderId)).status).toBe(502)
  expect(await billing.capture(accountId, anotherId)).toMatchObject({ status: 409, body: { code: 'payment-pending' } })
  await expect(remove(accountId)).rejects.toMatchObject({ code: 'payment-pending' })
  await sql`update orders set changed_at = now() - interval '61 seconds' where paypal_order_id = ${orderId}`
  await billing.get(accountId, '/api/paypal/setup')
  expect(await stateOf(orderId)).toBe('created')
  expect(await billing.capture(accountId, anotherId)).toMatchObject({ status: 200 })
  expect(await billing.capture(accountId, orderId)).toMatchObject({ body: { code: 'already-subscribed' } })
  await remove(accountId)
})

test('a call that is refused does not cancel the capture that another one has begun', async () => {
  const { accountId, orderId } = await billing.approved()
  await sql`update orders set state = 'pending', changed_at = now() where paypal_order_id = ${orderId}`
  vi.spyOn(ledger, 'capture').mockImplementationOnce(() => {
    throw new PayPalIssue(422, 'TRANSACTION_REFUSED')
  })
  expect((await billing.capture(accountId, orderId)).status).toBe(402)
  expect(await stateOf(orderId)).toBe('pending')
})

test('a payment that PayPal refuses is declined, and holds up nothing', async () => {
  const { accountId, orderId, anotherId } = await twoApproved()
  vi.spyOn(ledger, 'capture').mockImplementationOnce(() => {
    throw new PayPalIssue(422, 'TRANSACTION_REFUSED')
  })
  expect(await billing.capture(accountId, orderId)).toMatchObject({ status: 402, body: { code: 'payment-declined' } })
  expect(await billing.capture(accountId, anotherId)).toMatchObject({ status: 200 })
})
