import { expect, it } from 'vitest'
import { changeSearch, filterParams, isFiltered, readLogSearch } from './log-search.ts'

it('shows defaults for nonsense and names it', () => {
  expect(readLogSearch({ page: -1, status: 'teapot', minTime: 'x', search: 429 })).toEqual({
    search: '429',
    ignored: ['page', 'status', 'minTime'],
  })
})

it('keeps the page when a filter changes', () => {
  expect(changeSearch({ page: 3 }, { status: 'error' })).toEqual({ page: 3, status: 'error' })
})

it('leaves defaults out of the address', () => {
  expect(changeSearch({ page: 3, status: 'error', ignored: ['x'] }, { page: 1, status: 'all', search: '' })).toEqual({})
})

it('sends filters only', () => {
  const search = readLogSearch({ page: 2, sort: 'oldest', method: 'all', range: '7d', minTime: 500, search: 'a&b' })
  expect(filterParams(search).toString()).toBe('search=a%26b&timeRange=7d&latencyMin=500')
})

it('knows whether anything is filtered', () => {
  expect(isFiltered({ page: 2, status: 'all' })).toBe(false)
  expect(isFiltered({ model: 'gpt-4o' })).toBe(true)
})
