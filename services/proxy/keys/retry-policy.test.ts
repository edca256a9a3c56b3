import { expect, test } from 'vitest'
import { backoffMs, judgeStatus, keyCooldownMs, retryAfterMs } from './retry-policy.ts'

test.each([
  [200, 'final'],
  [400, 'final'],
  [404, 'final'],
  [401, 'next-key'],
  [403, 'next-key'],
  [408, 'retry'],
  [409, 'retry'],
  [429, 'next-key'],
  [500, 'next-key'],
  [503, 'next-key'],
] as const)('%d is %s', (status, verdict) => {
  expect(judgeStatus(status)).toBe(verdict)
})

test('what the provider says of when to come back is read in all three spellings', () => {
  const now = Date.UTC(2026, 0, 1)
  expect(retryAfterMs({ 'retry-after-ms': '150' }, now)).toBe(150)
  expect(retryAfterMs({ 'retry-after': '2' }, now)).toBe(2_000)
  expect(retryAfterMs({ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, now)).toBe(5_000)
  expect(retryAfterMs({ 'retry-after': 'soon' }, now)).toBeUndefined()
  expect(retryAfterMs({}, now)).toBeUndefined()
})

test('the backoff doubles, has jitter and an end', () => {
  expect([0, 1, 2].map((retry) => backoffMs(retry, () => 1))).toEqual([200, 400, 800])
  expect(backoffMs(0, () => 0)).toBe(100)
  expect(backoffMs(30, () => 1)).toBe(5_000)
})

test('a refused key rests longest, unless the provider says how long', () => {
  expect(keyCooldownMs(401, undefined)).toBeGreaterThan(keyCooldownMs(429, undefined))
  expect(keyCooldownMs(429, 3_000)).toBe(3_000)
})
