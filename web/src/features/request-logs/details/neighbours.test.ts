import { expect, test } from 'vitest'
import type { LogPage } from '../request-logs-queries.ts'
import { neighboursOf } from './neighbours.ts'

const page = (number: number, ids: string) => ({
  page: number,
  rows: [...ids].map((id) => ({ id })) as LogPage['rows'],
})
const on = (number: number, log: string) => ({ log, page: number })

test.each<[string, ReturnType<typeof neighboursOf>]>([
  ['d', { previous: on(1, 'c'), next: on(2, 'e') }],
  ['e', { previous: on(2, 'd'), next: on(2, 'f') }],
  ['f', { previous: on(2, 'e'), next: on(3, 'g') }],
  ['x', undefined],
])('the neighbours of %s in the order of the list, over the borders of its pages', (id, expected) => {
  expect(neighboursOf(id, page(2, 'def'), page(1, 'abc'), page(3, 'ghi'))).toEqual(expected)
})

test('rows that moved on to the shown page since are left out', () => {
  expect(neighboursOf('c', page(2, 'cd'), page(1, 'abc'), undefined)?.previous).toEqual(on(1, 'b'))
  expect(neighboursOf('d', page(2, 'cd'), undefined, page(3, 'def'))?.next).toEqual(on(3, 'e'))
})

test('the list ends where no page follows', () => {
  expect(neighboursOf('a', page(1, 'a'), undefined, undefined)).toEqual({ previous: undefined, next: undefined })
  expect(neighboursOf('a', undefined, undefined, undefined)).toBeUndefined()
})
