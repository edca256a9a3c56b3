import { expect, test } from 'vitest'
import { alertDraft } from './alert-draft.ts'

test('a search is not a filter of an alert, but the alert knows that the chart had one', () =>
  expect(alertDraft('requests', { search: 'timeout', range: '7d', model: 'o3' })).toEqual({
    measure: 'requests',
    filters: { status: 'all', method: 'all', model: ['o3'] },
    search: 'timeout',
  }))
