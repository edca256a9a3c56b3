import { expect, test } from 'vitest'
import { describeFilters } from '#schemas/alert-texts.ts'
import type { SaveAlert } from '#schemas/alerts.ts'
import { AlertForm, textsOf } from './alert-texts.ts'

const alertOn = (filters: Partial<SaveAlert['filters']>): SaveAlert => ({
  name: 'Errors',
  measure: 'errorRate',
  comparison: 'over',
  threshold: 5,
  windowMinutes: 15,
  filters: { status: 'all', method: 'all', ...filters },
  group: null,
  enabled: true,
  mail: true,
  webhookIds: [],
})

test.each([
  [{ model: ['org/a,b', 'o3'], tag: ['company:Acme, Inc.'] }, []],
  [{ model: ['gpt-4o '] }, ['model gpt-4o ']],
  [{ tag: ['customer:acme ', 'customer:b'] }, ['customer:acme , customer:b']],
  [{ endpoint: [' /v1/x'] }, ['endpoint  /v1/x']],
  [{ model: ['o3'], not: ['model' as const], method: 'GET' as const }, ['not model', 'method GET']],
  // Those without a model.
  [{ model: ['', ''] }, ['model none']],
  [{ model: ['', 'o3'], not: ['model' as const] }, ['model not none, o3']],
])('filters %j stay what they are when an alert is edited', (filters, shown) => {
  const alert = alertOn(filters)
  const texts = textsOf(alert)
  expect(AlertForm.parse(texts)).toEqual(alert)
  expect(describeFilters(texts.others)).toEqual(shown)
})

test('an alert on budgets keeps no filters that budgets ignore', () => {
  const token = ['0199a000-0000-7000-8000-000000000001']
  const texts = textsOf(alertOn({ status: 'failed', model: ['o3'], token, cache: ['hit'], not: ['token', 'cache'] }))
  const { filters } = AlertForm.parse({ ...texts, measure: 'budget' })
  expect(filters).toEqual({ status: 'all', method: 'all', token, not: ['token'] })
})

test.each(['model', 'tag:customer'] as const)('the group %s stays what it is when an alert is edited', (group) =>
  expect(AlertForm.parse(textsOf({ ...alertOn({}), group }))).toMatchObject({ group }),
)

test('a threshold that is empty is missing, not 0', () => {
  const { error } = AlertForm.safeParse({ ...textsOf(alertOn({})), threshold: ' ' })
  expect(error?.issues.map(({ path }) => path)).toEqual([['threshold']])
})
