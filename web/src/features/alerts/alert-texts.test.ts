import { expect, test } from 'vitest'
import type { SaveAlert } from '#schemas/alerts.ts'
import { AlertForm, otherFilters, textsOf } from './alert-texts.ts'

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
  // Those without a model.
  [{ model: ['', ''] }, ['model none']],
  [{ model: ['', 'o3'], not: ['model' as const] }, ['not model', 'model none, o3']],
])('filters %j stay what they are when an alert is edited', (filters, shown) => {
  const alert = alertOn(filters)
  const texts = textsOf(alert)
  expect(AlertForm.parse(texts)).toEqual(alert)
  expect(otherFilters(texts.others)).toEqual(shown)
})
