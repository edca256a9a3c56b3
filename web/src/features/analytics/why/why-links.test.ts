import { expect, test } from 'vitest'
import type { Change, Changes } from '#schemas/analytics-changes.ts'
import type { ErrorGroup } from '#schemas/analytics-errors.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { changeSearch } from './change-search.ts'
import { readComparison, writeComparison } from './comparison.ts'
import { areUsable } from '#web/lib/log-filters/filter-errors.ts'
import { mergeFilters } from '../use-open-logs.ts'
import { errorSearch } from './error-search.ts'

const group: ErrorGroup = {
  errorCode: 'rate_limit_exceeded',
  status: 429,
  pattern: 'Rate limit reached for <…> (<…>): Limit <…>, Used <…>',
  example: 'Rate limit reached for gpt-4o (org-1): Limit 3, Used 4',
  errors: 1,
  firstSeen: '2026-11-20T12:00:00.000Z',
  lastSeen: '2026-11-20T12:00:00.000Z',
  isNew: true,
  series: [],
}

test('an error opens the requests with its code, or its status, and the words of its message', () => {
  expect(errorSearch(group, {})).toEqual({
    status: 'failed',
    errorCode: 'rate_limit_exceeded',
    search: 'Rate limit reached for Limit Used',
  })
  expect(errorSearch({ ...group, errorCode: null, pattern: '' }, {})).toEqual({
    status: 'failed',
    statusCode: 429,
    errorCode: ',',
  })
})

test('an error opens only requests that the search of the screen finds too', () => {
  const among = (filters: LogSearch, of = group) => mergeFilters(filters, errorSearch(of, filters))
  expect(among({ search: 'acme' })).toMatchObject({ search: 'acme Rate limit reached for Limit Used' })
  const exact = { search: 'acme inc', mode: 'substring' } as const
  expect(among(exact)).toMatchObject(exact)
  expect(among({ search: 'x'.repeat(200) })).toMatchObject({ search: 'x'.repeat(200) })
  const glued = { ...group, pattern: '模型<…>不存在 Not found' }
  expect(among({ search: 'acme', mode: 'words' }, glued)).toMatchObject({ search: 'acme Not found', mode: 'words' })
})

test.each(['words', 'substring'] as const)('without a search, an error opens its requests also in mode %s', (mode) => {
  const opened = mergeFilters({ mode, range: '90d' }, errorSearch(group, { mode, range: '90d' }))
  expect(opened.mode).toBeUndefined()
  expect(areUsable(opened)).toBe(true)
})

test('of a message that was cut, the last word is left out, and a search is never too long', () => {
  const pattern = `${'word '.repeat(100)}halfwo`
  const { search = '' } = errorSearch({ ...group, pattern, example: 'x'.repeat(300) }, {})
  expect(search).not.toContain('halfwo')
  expect(search.length).toBeLessThanOrEqual(200)
})

const change: Change = {
  dimension: 'model',
  tag: null,
  value: 'o3',
  now: { requests: 2, amount: 1 },
  before: { requests: 2, amount: 1 },
  expected: 1,
  shareNow: 1,
  shareBefore: 1,
  explained: null,
}
const changes: Changes = {
  from: '2026-11-20T12:00:00.000Z',
  to: '2026-11-20T13:00:00.000Z',
  beforeFrom: '2026-11-20T11:00:00.000Z',
  availableFrom: '2026-08-22T00:00:00.000Z',
  measure: 'requests',
  slowAbove: null,
  now: change.now,
  before: change.before,
  expected: 1,
  changes: [],
}
const range = { from: changes.from, to: changes.to }

test.each<[string, Partial<Change>, Partial<Changes>, object]>([
  ['a model', {}, {}, { model: 'o3' }],
  [
    'a tag among errors',
    { dimension: 'tag', tag: 'customer', value: 'a:b' },
    { measure: 'errors' },
    { status: 'failed', tag: ['customer:a:b'] },
  ],
  ['a status', { dimension: 'status', value: '0' }, {}, { statusCode: 0 }],
  [
    'no token, among slow requests',
    { dimension: 'token', value: null },
    { measure: 'slow', slowAbove: 900 },
    { minTime: 901, token: 'none' },
  ],
  ['no model', { value: null }, {}, { model: ',' }],
  ['no error code', { dimension: 'errorCode', value: null }, {}, { errorCode: ',' }],
  ['no value of a tag', { dimension: 'tag', tag: 'customer', value: null }, {}, { tag: ['customer:'] }],
  ['a value with a comma', { value: 'org/a,b' }, {}, { model: String.raw`org/a\,b` }],
])('%s opens its requests', (_name, changed, among, expected) => {
  const search = changeSearch({ ...change, ...changed }, { ...changes, ...among }, {})
  expect(search).toEqual({ ...range, ...expected })
})

test('errors among those with a status of 4xx and 5xx open no request without a response', () => {
  const filters = { status: 'error' } as const
  expect(errorSearch(group, filters)).toMatchObject(filters)
  expect(changeSearch(change, { ...changes, measure: 'errors' }, filters)).toMatchObject(filters)
})

test('a comparison comes back from the address; one that ends before it begins is none', () => {
  const comparison = { ...range, measure: 'cost', against: 'day' } as const
  expect(readComparison(writeComparison(comparison))).toEqual(comparison)
  expect(readComparison(writeComparison({ ...comparison, from: range.to, to: range.from }))).toBeNull()
  expect(readComparison('yesterday')).toBeNull()
})

test('a comparison of times that the API does not accept is none', () => {
  const comparison = { ...range, measure: 'cost', against: 'day' } as const
  for (const from of ['0001-01-01T00:00:00Z', '20 Nov 2026', '2026'])
    expect(readComparison(writeComparison({ ...comparison, from }))).toBeNull()
})
