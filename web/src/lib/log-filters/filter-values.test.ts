import { expect, it } from 'vitest'
import { RequestLogQuery } from '#schemas/request-logs.ts'
import { chosenValues, chooseValues, isExcluded, type ValueField } from './filter-values.ts'
import { filterParams } from './log-params.ts'
import { changeSearch, type LogSearch, readLogSearch } from './log-search.ts'

it.each<[ValueField, string[], Record<string, unknown>]>([
  ['model', ['gpt-4o', 'o3'], { model: ['gpt-4o', 'o3'] }],
  ['model', [''], { model: ['', ''] }],
  ['model', ['org/a,b', String.raw`c\d`], { model: ['org/a,b', String.raw`c\d`] }],
  ['errorCode', ['', 'rate_limit_exceeded'], { errorCode: ['', 'rate_limit_exceeded'] }],
  ['statusCode', ['429', '0'], { statusCode: [429, 0] }],
  ['statusCode', ['500'], { statusCode: [500] }],
  ['cache', ['none'], { cache: ['none'] }],
  ['tag:customer', ['acme', ''], { tag: ['customer:acme', 'customer:'] }],
])('the chosen values of %s are in the link and in the call: %j', (field, values, filters) => {
  const search = readLogSearch(changeSearch({}, chooseValues({}, field, values)))
  expect(search.ignored).toBeUndefined()
  expect(chosenValues(search, field)).toEqual(values)
  const params = filterParams(search)
  const query = Object.fromEntries(params)
  expect(RequestLogQuery.parse(field.startsWith('tag:') ? { tag: params.getAll('tag') } : query)).toMatchObject(filters)
})

const choose = (search: LogSearch, values: string[], isNot?: boolean) =>
  changeSearch(search, chooseValues(search, 'tag:customer', values, isNot))

it('excludes a field until its last value is taken back', () => {
  const some = choose({ tag: ['feature:search'], not: 'model', model: 'o3' }, ['acme'], true)
  expect(some).toEqual({ tag: ['feature:search', 'customer:acme'], not: 'model,tag:customer', model: 'o3' })
  expect(isExcluded(some, 'tag:customer')).toBe(true)
  expect(choose(some, ['acme', 'initech']).not).toBe('model,tag:customer')
  expect(choose(some, [])).toEqual({ tag: ['feature:search'], not: 'model', model: 'o3' })
  expect(changeSearch(some, chooseValues(some, 'model', []))).toEqual({ tag: some.tag, not: 'tag:customer' })
})
