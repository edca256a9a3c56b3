import { expect, it } from 'vitest'
import { joinList } from '#schemas/list-text.ts'
import { RequestLogQuery } from '#schemas/request-logs.ts'
import { filterParams, isFiltered, listParams } from './log-params.ts'
import { changeSearch, readLogSearch } from './log-search.ts'

it('ignores invalid parameters and reports them', () => {
  expect(readLogSearch({ page: -1, status: 'teapot', minTime: 'x', search: 429 })).toEqual({
    search: '429',
    ignored: ['page', 'status', 'minTime'],
  })
})

it('reports times that the API does not accept', () => {
  const [from, to] = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']
  expect(readLogSearch({ from, to })).toEqual({ ignored: ['from', 'to'] })
})

it('reports tags without a key', () => {
  expect(readLogSearch({ tag: ['customer:acme', 'acme'] })).toEqual({ ignored: ['tag'] })
  expect(readLogSearch({ tag: [`${'k'.repeat(10_000)}:acme`] })).toEqual({ ignored: ['tag'] })
  expect(readLogSearch({ tag: ['customer:'] })).toEqual({ tag: ['customer:'] })
})

it('trims what is searched for, but no values', () => {
  const values = { model: 'gpt-4o ', endpoint: '/v1/x ', errorCode: ' ' }
  expect(readLogSearch({ search: ' timeout ', ...values })).toEqual({ search: 'timeout', ...values })
})

it('keeps as many long values as the server accepts', () => {
  const model = joinList(Array.from({ length: 20 }, (_, nth) => `m${nth}`.padEnd(128, ',')))
  const search = readLogSearch({ model })
  expect(search).toEqual({ model })
  expect(RequestLogQuery.safeParse(Object.fromEntries(listParams(search))).success).toBe(true)
})

it('keeps the page when a filter changes', () => {
  expect(changeSearch({ page: 3 }, { status: 'error' })).toEqual({ page: 3, status: 'error' })
})

it('omits defaults from the URL', () => {
  expect(changeSearch({ page: 3, status: 'error', ignored: ['x'] }, { page: 1, status: 'all', search: '' })).toEqual({})
})

it('sends filters only', () => {
  const search = readLogSearch({ page: 2, sort: 'oldest', method: 'all', range: '7d', minTime: 500, search: 'a&b' })
  expect(filterParams(search).toString()).toBe('search=a%26b&timeRange=7d&minResponseTime=500&searchMode=parts')
  expect(filterParams({ range: '7d', to: '2026-11-02' }).toString()).toBe('to=2026-11-02')
})

it('builds a query that the server accepts, with every filter set', () => {
  const id = '0199a000-0000-7000-8000-000000000001'
  const search = readLogSearch({
    search: 'abc',
    mode: 'substring',
    status: 'error',
    method: 'POST',
    from: '2026-11-01T00:00:00Z',
    to: '2026-11-02T00:00:00Z',
    model: 'gpt-4o',
    endpoint: '/v1/files/{id}',
    token: id,
    key: 'none',
    statusCode: 429,
    minTime: 1,
    maxTime: 2,
    outcome: 'completed',
    sort: 'oldest',
  })
  expect(search.ignored).toBeUndefined()
  expect(RequestLogQuery.parse(Object.fromEntries(listParams(search)))).toMatchObject({
    searchMode: 'substring',
    endpoint: ['/v1/files/{id}'],
    key: ['none'],
    minResponseTime: 1,
    maxResponseTime: 2,
    order: 'asc',
  })
})

it.each([
  ['newest', ''],
  ['oldest', 'order=asc'],
  ['slowest', 'sort=responseTime'],
  ['cheapest', 'sort=cost&order=asc'],
])('sends the order %s', (sort, query) => expect(listParams(readLogSearch({ sort })).toString()).toBe(query))

it('reads lists of values, and rejects one with a wrong value', () => {
  const search = readLogSearch({ statusCode: '429,500', cache: 'hit,none', outcome: 'completed,lost', token: 'none,x' })
  expect(search).toEqual({ statusCode: '429,500', cache: 'hit,none', ignored: ['outcome', 'token'] })
})

it('reports whether any filter is active', () => {
  expect(isFiltered({ page: 2, status: 'all' })).toBe(false)
  expect(isFiltered({ model: 'gpt-4o' })).toBe(true)
})
