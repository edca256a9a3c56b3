import { expect, test } from 'vitest'
import type { GroupBy } from '#schemas/analytics.ts'
import { changeSearch } from '#web/lib/log-filters/log-search.ts'
import { apiFilters } from '#web/lib/log-filters/filter-errors.ts'
import { mergeFilters } from '../use-open-logs.ts'
import { groupMetrics } from './group-metrics.ts'
import { groupFilter } from './group-values.ts'

/** What the API gets when a group is opened. */
const opened = (groupBy: GroupBy, value: string | null, filters = {}) =>
  apiFilters(changeSearch(mergeFilters(filters, groupFilter(groupBy, value)), {})).data

test.each<[GroupBy, string | null, object]>([
  ['model', null, { model: ['', ''] }],
  ['model', 'org/a,b', { model: ['org/a,b'] }],
  ['endpoint', null, { endpoint: ['', ''] }],
  ['errorCode', null, { errorCode: ['', ''] }],
  ['token', null, { token: ['none'] }],
  ['key', null, { key: ['none'] }],
  ['status', '429', { statusCode: [429] }],
  ['outcome', 'interrupted', { outcome: ['interrupted'] }],
  ['tag:customer', null, { tag: ['customer:'] }],
  ['tag:customer', 'Acme, Inc.', { tag: ['customer:Acme, Inc.'] }],
])('the group of %s %s opens its requests', (groupBy, value, filters) => {
  expect(opened(groupBy, value)).toMatchObject(filters)
})

test('a group that was excluded is so no longer', () => {
  expect(opened('model', null, { not: 'model,errorCode', errorCode: 'x' })).toMatchObject({ not: ['errorCode'] })
})

const filterOf = (title: string) => groupMetrics.find((metric) => metric.title === title)?.filter

test('counts of failovers and broken requests open what they count', () => {
  expect(apiFilters({ ...filterOf('Failed over') }).data).toMatchObject({ failedOver: 'true' })
  expect(apiFilters({ ...filterOf('Broken off') }).data).toMatchObject({ outcome: ['upstream_failed', 'interrupted'] })
})
