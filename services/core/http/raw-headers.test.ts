import { expect, test } from 'vitest'
import { timesSent } from './raw-headers.ts'

test('counts a header in any case, and never a value', () => {
  const rawHeaders = ['Host', 'host', 'from', 'host', 'HOST', 'b', 'x-host', 'c']
  expect(timesSent(rawHeaders, 'host')).toBe(2)
  expect(timesSent(rawHeaders, 'authorization')).toBe(0)
})
