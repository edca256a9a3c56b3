import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '#tools/test/stores.ts'
import { PlanName } from '#schemas/plan-name.ts'
import { plans } from '#schemas/plans.ts'

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
