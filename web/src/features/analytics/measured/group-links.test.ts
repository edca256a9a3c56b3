import { expect, test } from 'vitest'
import type { GroupBy } from '#schemas/analytics.ts'
import { changeSearch } from '#web/lib/log-filters/log-search.ts'
import { apiFilters } from '#web/lib/log-filters/filter-errors.ts'
import { countedFilters, mergeFilters } from '../use-open-logs.ts'
import { groupMetrics } from './group-metrics.ts'
import { groupFilter, groupLines, othersFilter } from './group-values.ts'

/** The filters that the API receives when a group is opened. */
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

const openedOthers = (groupBy: GroupBy, values: (string | null)[], filters = {}) =>
  apiFilters(changeSearch(mergeFilters(filters, othersFilter(groupBy, values, filters) ?? {}), {})).data

test('the others open what is in no group, also where values were excluded before', () => {
  expect(openedOthers('model', ['o3', null])).toMatchObject({ model: ['o3', ''], not: ['model'] })
  expect(openedOthers('status', ['200'], { not: 'model', model: 'o3' })).toMatchObject({
    statusCode: [200],
    not: ['model', 'statusCode'],
  })
  expect(
    openedOthers('tag:customer', ['a', null], { tag: ['customer:b', 'feature:x'], not: 'tag:customer' }),
  ).toMatchObject({
    tag: ['feature:x', 'customer:b', 'customer:a', 'customer:'],
    not: ['tag:customer'],
  })
  const twenty = Array.from({ length: 20 }, (_, index) => `model-${index}`)
  expect(othersFilter('model', twenty, { model: 'o3', not: 'model' })).toBeUndefined()
})

test('what a number counts stays within the filters of the screen', () => {
  const broken = filterOf('Broken off')
  expect(countedFilters(broken, { outcome: 'upstream_failed' })).toMatchObject({ outcome: 'upstream_failed' })
  expect(countedFilters(broken, { outcome: 'interrupted', not: 'outcome' })).toMatchObject({
    outcome: 'upstream_failed',
  })
  expect(countedFilters(filterOf('Errors'), { status: 'error' })).toEqual({ status: 'error' })
  expect(countedFilters(filterOf('Errors'), {})).toEqual({ status: 'failed' })
})

const filterOf = (title: string) => groupMetrics.find((metric) => metric.title === title)?.filter

test('counts of failovers and broken requests open what they count', () => {
  expect(apiFilters({ ...filterOf('Failed over') }).data).toMatchObject({ failedOver: 'true' })
  expect(apiFilters({ ...filterOf('Broken off') }).data).toMatchObject({ outcome: ['upstream_failed', 'interrupted'] })
})

test('a group named as all others, or as no group, has a line of its own', () => {
  const groups = ['others', 'None', null].map((value, at) => ({ value, series: [at] }))
  const lines = groupLines({ groups, otherSeries: [3] }, (value) => value || 'None')
  expect(new Set(lines.map(({ key }) => key)).size).toBe(4)
  expect(lines.map(({ label, steps }) => [label, ...steps])).toEqual([
    ['others', 0],
    ['None', 1],
    ['None', 2],
    ['Others', 3],
  ])
})
