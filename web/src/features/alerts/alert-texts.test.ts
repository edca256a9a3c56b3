import { expect, test } from 'vitest'
import type { SaveAlert } from '#schemas/alerts.ts'
import { AlertForm, textsOf } from './alert-texts.ts'

test('filters whose values have commas stay what they are when an alert is edited', () => {
  const alert: SaveAlert = {
    name: 'Errors',
    measure: 'errorRate',
    comparison: 'over',
    threshold: 5,
    windowMinutes: 15,
    filters: { status: 'all', method: 'all', model: ['org/a,b', 'o3'], tag: ['company:Acme, Inc.'] },
    group: null,
    enabled: true,
    mail: true,
    webhookIds: [],
  }
  expect(AlertForm.parse(textsOf(alert))).toEqual(alert)
})
