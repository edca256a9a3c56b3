import { expect, test, vi } from 'vitest'
import { remember } from './remember.ts'

test('computes the value of a repeated key once, and keeps neither long keys nor too many', () => {
  const compute = vi.fn((key: string) => key.length)
  const lengthOf = remember(compute)
  expect([lengthOf('a'), lengthOf('a')]).toEqual([1, 1])
  expect(compute).toHaveBeenCalledTimes(1)
  const long = 'x'.repeat(257)
  expect([lengthOf(long), lengthOf(long)]).toEqual([257, 257])
  expect(compute).toHaveBeenCalledTimes(3)
  for (let nth = 0; nth < 1_000; nth += 1) lengthOf(`key-${nth}`)
  lengthOf('a')
  expect(compute).toHaveBeenCalledTimes(1_004)
})
