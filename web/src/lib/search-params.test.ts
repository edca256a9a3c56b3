import { expect, it } from 'vitest'
import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { z } from 'zod'
import { parseParameter, readSearch, searchText } from './search-params.ts'

const shape = { page: z.number().int().min(1), method: z.enum(['GET', 'POST']), model: searchText(20) }

it('keeps what has the right form', () => {
  expect(readSearch(shape, { page: 2, method: 'GET', model: 4 })).toEqual({ page: 2, method: 'GET', model: '4' })
})

it('drops nonsense and names it', () => {
  expect(readSearch(shape, { page: 'banana', method: ['GET'], model: 'gpt', toString: 1 })).toEqual({
    model: 'gpt',
    ignored: ['page', 'method', 'toString'],
  })
})

it('remembers what an earlier reading rejected', () => {
  expect(readSearch(shape, { ignored: ['page'], page: 3 })).toEqual({ page: 3, ignored: ['page'] })
})

const parse = parseSearchWith(parseParameter)

it.each(['12345678901234567890', '1e5', '1.50', 'null', '-0'])('reads the text %s of a link as it is', (text) => {
  expect(readSearch({ model: searchText(20) }, parse(`?model=${text}`))).toEqual({ model: text })
})

it('reads what the router has written', () => {
  const search = { page: 2, model: '12', compare: true, tag: ['team:a', 'n:1e5'], widths: { model: 120 }, text: '1e5' }
  expect(parse(stringifySearchWith(JSON.stringify, JSON.parse)(search))).toEqual(search)
})
