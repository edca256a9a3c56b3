import { expect, test } from 'vitest'
import { alertDraft } from './alert-draft.ts'

test('a search is not a filter of an alert, but the alert knows that the chart had one', () =>
  expect(alertDraft('requests', { search: 'timeout', range: '7d', model: 'o3' })).toEqual({
    measure: 'requests',
    filters: { status: 'all', method: 'all', model: ['o3'] },
    search: 'timeout',
  }))

test.each([
  ['model', 'model'],
  ['tag:customer', 'tag:customer'],
  ['status', undefined],
] as const)('numbers by %s are those of an alert by %s', (groupBy, group) =>
  expect(alertDraft('cost', {}, groupBy).group).toBe(group),
)
