import { expect, test } from 'vitest'
import { backoffMs, judgeStatus, keyCooldownMs, retryAfterMs } from './retry-policy.ts'

test.each([
  ['final', [200, 400, 404]],
  ['next-key', [401, 403, 429, 500, 503]],
  ['retry', [408, 409]],
])('%s: %j', (verdict, statuses) => {
  for (const status of statuses) expect(judgeStatus(status)).toBe(verdict)
})

test.each([
  [{ 'retry-after-ms': '150' }, 150],
  [{ 'retry-after': '2' }, 2_000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, 5_000],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('%j is a wait of %s ms', (headers, ms) => {
  expect(retryAfterMs(headers, Date.UTC(2026, 0, 1))).toBe(ms)
})

test('the backoff doubles up to a maximum, with jitter', () => {
  expect([0, 1, 2].map((retry) => backoffMs(retry, () => 1))).toEqual([200, 400, 800])
  expect(backoffMs(0, () => 0)).toBe(100)
  expect(backoffMs(30, () => 1)).toBe(5_000)
})

test('a rejected key has the longest cooldown, unless the provider says how long', () => {
  expect(keyCooldownMs(401, undefined)).toBeGreaterThan(keyCooldownMs(429, undefined))
  expect(keyCooldownMs(429, 3_000)).toBe(3_000)
})
