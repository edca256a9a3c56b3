import { expect, test } from 'vitest'
import { PlanLimitOverrides, planTable, plans, pricingPlans } from './plans.ts'

test('prices, limits and texts are as specified', () => {
  expect(pricingPlans.map((name) => [plans[name].name, plans[name].price])).toEqual([
    ['Free', '$0'],
    ['Pro', '$29'],
    ['Enterprise', '$99'],
  ])
  expect(plans.free.features).toEqual(expect.arrayContaining(['5 API requests per day', '1 token']))
  expect(plans.pro.features).toEqual(
    expect.arrayContaining(['Unlimited requests', 'Up to 10 tokens', '99.9% uptime SLA']),
  )
  expect(plans.enterprise.features).toContain('Unlimited tokens')
  expect(plans.basic.profileDescription).toBe('$9/month with 10,000 requests/month')
  expect(plans.pro.profileDescription).toBe('$29/month with 100,000 requests/month')
  expect(plans.pro.limits.requestsPerMonth).toBeNull()
})

test('an operator can override single limits, and the features state the resulting limits', () => {
  const table = planTable({ free: { requestsPerDay: 1_000, tokens: null }, basic: { requestsPerMonth: null } })
  expect(table.free.limits).toEqual({ requestsPerDay: 1_000, requestsPerMonth: null, tokens: null })
  expect(table.free.features.slice(0, 2)).toEqual(['1,000 API requests per day', 'Unlimited tokens'])
  expect(table.basic.limits).toEqual({ requestsPerDay: null, requestsPerMonth: null, tokens: 5 })
  expect(table.pro).toEqual(plans.pro)
})

test('limitations describe the limits that exist', () => {
  const table = planTable({ free: { requestsPerDay: null }, pro: { requestsPerDay: 50, requestsPerMonth: 1_000 } })
  expect(plans.free.limitations).toEqual(['Requests beyond the daily limit are blocked until the next day'])
  expect(plans.basic.limitations).toEqual(['Requests beyond the monthly limit are blocked until the next month'])
  expect([table.free.limitations, plans.enterprise.limitations]).toEqual([[], []])
  expect(table.pro.features[0]).toBe('50 API requests per day, 1,000 requests/month')
  expect(table.pro.limitations).toEqual([...plans.free.limitations, ...plans.basic.limitations])
})

test.each([{ gold: { tokens: 1 } }, { free: { token: 1 } }, { free: { tokens: 0 } }, { free: { tokens: '5' } }, [], 5])(
  'rejects invalid overrides: %j',
  (overrides) => expect(PlanLimitOverrides.safeParse(overrides).success).toBe(false),
)
