import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
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

test('a refund of time that the operator voided takes nothing from time that was paid for later', async () => {
  const accountId = await insertAccount(sql)
  const [store, orders] = [createPlanStore(sql, invalidateNothing), createOrderStore(sql, invalidateNothing)]
  const price = { amountCents: 2_900, currency: 'USD', payeeId: 'merchant' }
  async function pay(paypalOrderId: string) {
    const order = await orders.create(accountId, { ...price, id: uuidv7(), paypalOrderId, plan: 'pro' })
    const payment = { ...price, captureId: paypalOrderId, outcome: 'completed', method: 'PayPal' } as const
    await orders.reconcile(order, payment, operator)
    return () => orders.reconcile(order, { ...payment, outcome: 'refunded' }, operator)
  }
  const refundFirst = await pay('first')
  await store.set(accountId, 'free', operator)
  await pay('second')
  const paid = await store.get(accountId)
  expect(paid.plan).toBe('pro')
  await refundFirst()
  expect(await store.get(accountId)).toEqual(paid)
})
