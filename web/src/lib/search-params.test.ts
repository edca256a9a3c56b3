import { expect, it } from 'vitest'
import { z } from 'zod'
import { readSearch, searchText } from './search-params.ts'

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
