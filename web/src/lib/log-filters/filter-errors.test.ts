import { expect, it } from 'vitest'
import { problems } from '#schemas/problems.ts'
import { ApiError } from '#web/lib/api.ts'
import type { LogSearch } from './log-search.ts'
import { invalidFilters, rejectedFilters } from './filter-errors.ts'

it.each<[LogSearch, object]>([
  [{ model: 'm,'.repeat(20) }, { model: 'Expected at most 20 values' }],
  [{ statusCode: 42 }, { statusCode: 'Expected a status code such as 429' }],
  [{ minTime: Number.NaN }, { minTime: 'Expected whole milliseconds, a day at most' }],
  [{ minTime: 9, maxTime: 8 }, { maxTime: 'The longest response time is below the shortest' }],
  [{ from: '2026-11-21T00:00:00.000Z', to: '2026-11-20T00:00:00.000Z' }, { to: 'The range ends before it begins' }],
  [
    { search: 'ab', mode: 'substring', range: '7d' } as const,
    { search: 'A substring search needs at least 3 characters' },
  ],
  [{ status: 'failed', statusCode: 0, model: 'no such model', tag: ['a:1', 'b:2'], page: 3 }, {}],
])('%j', (search, errors) => expect(invalidFilters(search)).toEqual(errors))

it('names the field that the API rejects', () => {
  const errors = [
    { field: 'searchMode', message: 'Too long' },
    { field: 'limit', message: 'Too many' },
  ]
  const problem = {
    ...problems['invalid-request'],
    type: 'about:blank',
    code: 'invalid-request',
    instance: 'a',
    errors,
  }
  expect(rejectedFilters(new ApiError(400, JSON.stringify(problem)))).toEqual({ mode: 'Too long' })
  expect(rejectedFilters(new Error('offline'))).toEqual({})
})
