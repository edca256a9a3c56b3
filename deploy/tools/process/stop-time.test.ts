import { expect, test } from 'vitest'
import { serviceStopMs, stackStopMs } from './stop-time.ts'

test.each([
  [{ DRAIN_SECONDS: '5' }, 13_000],
  [{ DRAIN_SECONDS: '0' }, 8_000],
  [{ DRAIN_SECONDS: '30', DRAIN_DELAY_SECONDS: '10' }, 48_000],
  [{}, 68_000],
  [{ DRAIN_SECONDS: '', DRAIN_DELAY_SECONDS: '' }, 68_000],
  [{ DRAIN_SECONDS: 'soon' }, 68_000],
])('with %o a service may take %i ms to stop, and the stack longer than two of them', (env, limitMs) => {
  expect(serviceStopMs(env)).toBe(limitMs)
  expect(stackStopMs(env)).toBeGreaterThan(2 * limitMs)
})
