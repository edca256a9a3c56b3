import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '#tools/test/stores.ts'
import { PlanName } from '#schemas/plan-name.ts'
import { plans } from '#schemas/plans.ts'
import { insertAccount, invalidateNothing } from './account.fixture.ts'
import { operator } from './operator-accounts.ts'
import { createOrderStore } from './orders.ts'
import { createPlanStore } from './plans.ts'

const { sql, drop } = await createTestDatabase()
afterAll(drop)

test.each([
  ['accounts', PlanName.options],
  ['orders', PlanName.options.filter((name) => plans[name].priceCents > 0)],
])('the check constraint of %s allows the plans of the catalogue', async (table, names) => {
  const checks = await sql<{ text: string }[]>`
    select pg_get_constraintdef(oid) as text from pg_constraint
    where conrelid = ${table}::regclass and pg_get_constraintdef(oid) like '%(plan = ANY%'`
  expect(checks).toHaveLength(1)
  expect([...checks[0]!.text.matchAll(/'(\w+)'/g)].map(([, name]) => name).toSorted()).toEqual(names.toSorted())
})

const [store, orders] = [createPlanStore(sql, invalidateNothing), createOrderStore(sql, invalidateNothing)]
const price = { amountCents: 2_900, currency: 'USD', payeeId: 'merchant' }

/** @returns refunds the payment */
async function pay(accountId: string) {
  const id = uuidv7()
  const order = await orders.create(accountId, { ...price, id, paypalOrderId: id, plan: 'pro' }, [])
  const payment = { ...price, captureId: id, outcome: 'completed', method: 'PayPal' } as const
  await orders.reconcile(order, payment, operator)
  return () => orders.reconcile(order, { ...payment, outcome: 'refunded' }, operator)
}

/** True if a query waits for a lock. */
const isBlocked = async () => {
  const blocked = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return blocked.length > 0
}

test('a payment waits for a change of the plan, which voids time of orders, and then counts', async () => {
  const accountId = await insertAccount(sql)
  await pay(accountId)
  let payment: Promise<unknown> | undefined
  await sql.begin(async (change) => {
    await change`update accounts set plan = 'basic', plan_until = null where id = ${accountId}`
    payment = pay(accountId)
    await expect.poll(isBlocked).toBe(true)
    await change`update orders set paid_from = null, paid_until = null where account_id = ${accountId}`
  })
  await payment
  expect(await store.get(accountId)).toMatchObject({ plan: 'pro' })
})

/** As if the account had paid earlier. */
async function letPass(accountId: string, days: number) {
  const time = `${days} days`
  await sql`update accounts set plan_until = plan_until - ${time}::interval where id = ${accountId}`
  await sql`
    update orders set paid_from = paid_from - ${time}::interval, paid_until = paid_until - ${time}::interval
    where account_id = ${accountId}`
}

test.each([
  ['2099-01-31T12:00:00.000Z', ['2099-02-28', '2099-03-31', '2099-04-30']],
  ['2095-12-30T23:30:00.000Z', ['2096-01-30', '2096-02-29', '2096-03-30']],
  ['2099-02-28T12:00:00.000Z', ['2099-03-28', '2099-04-28', '2099-05-28']],
])('months from %s end on its day, or the last of a shorter month, in UTC', async (from, days) => {
  const accountId = await insertAccount(sql)
  await pay(accountId)
  const start = new Date(from)
  const [end, ...later] = days.map((date) => new Date(`${date}${from.slice(10)}`))
  await sql`update orders set paid_from = ${start}, paid_until = ${end!} where account_id = ${accountId}`
  await sql`update accounts set plan_until = ${end!} where id = ${accountId}`
  for (const planUntil of later) {
    await pay(accountId)
    expect(await store.get(accountId)).toMatchObject({ planUntil })
    // As after a refund of months that have passed.
    await sql`update orders set state = 'refunded' where account_id = ${accountId} and paid_until < ${planUntil}`
  }
})

test('months follow one another without a gap after a refund, too', async () => {
  const accountId = await insertAccount(sql)
  const refundFirst = await pay(accountId)
  await pay(accountId)
  await letPass(accountId, 10)
  await refundFirst()
  await pay(accountId)
  await pay(accountId)
  const followers = await sql`
    select from orders o where account_id = ${accountId}
      and exists (select from orders before where before.account_id = ${accountId} and before.paid_until = o.paid_from)`
  expect(followers).toHaveLength(2)
})

describe('a plan without an end that the operator set comes back', () => {
  test('after the time that was paid for', async () => {
    const accountId = await insertAccount(sql)
    await store.set(accountId, 'basic', operator)
    await pay(accountId)
    await pay(accountId)
    await letPass(accountId, 70)
    await store.expireOverdue()
    expect(await store.get(accountId)).toMatchObject({ plan: 'basic', planUntil: null })

    await store.set(accountId, 'free', operator)
    await pay(accountId)
    await letPass(accountId, 40)
    await store.expireOverdue()
    expect(await store.get(accountId)).toMatchObject({ plan: 'free', planUntil: null })
  })

  test('after a refund', async () => {
    const accountId = await insertAccount(sql)
    await store.set(accountId, 'basic', operator)
    const refund = await pay(accountId)
    await refund()
    expect(await store.get(accountId)).toMatchObject({ plan: 'basic', planUntil: null })
  })
})

describe('a refund takes nothing from time that was paid for later', () => {
  test('if the operator voided its time', async () => {
    const accountId = await insertAccount(sql)
    const refundFirst = await pay(accountId)
    await store.set(accountId, 'free', operator)
    await pay(accountId)
    const paid = await store.get(accountId)
    expect(paid.plan).toBe('pro')
    await refundFirst()
    expect(await store.get(accountId)).toEqual(paid)
  })

  test('if its time began and passed earlier, because the payment before it was refunded', async () => {
    const accountId = await insertAccount(sql)
    const [refundFirst, refundSecond] = [await pay(accountId), await pay(accountId)]
    await refundFirst()
    await letPass(accountId, 32)
    await pay(accountId)
    const paid = await store.get(accountId)
    await refundSecond()
    expect(await store.get(accountId)).toEqual(paid)
  })
})
