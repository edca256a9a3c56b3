import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { delayAfter, GrowingDelay } from './growing-delay.ts'

const options = { free: 3, duration: 3_600, maxDelayMs: 60_000 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const create = () =>
  new GrowingDelay(
    new RateLimiterMemory({ points: 3, duration: 3_600 }),
    new RateLimiterMemory({ points: 1, duration: 60 }),
    options,
  )
const waitOf = (delay: GrowingDelay) =>
  delay.consume('a').then(
    () => 0,
    ({ msBeforeNext }: { msBeforeNext: number }) => msBeforeNext,
  )

test('the delay doubles up to its limit', () => {
  expect([1, 3, 4, 5, 6, 7, 50].map((attempts) => delayAfter(attempts, options))).toEqual([
    0, 0, 10_000, 20_000, 40_000, 60_000, 60_000,
  ])
})

test('after the free attempts the delay grows, but never locks out for good', async () => {
  const delay = create()
  for (let attempt = 0; attempt < 4; attempt += 1) expect(await waitOf(delay)).toBe(0)
  for (const pauseMs of [10_000, 20_000, 40_000, 60_000, 60_000]) {
    expect(await waitOf(delay)).toBe(pauseMs)
    vi.advanceTimersByTime(pauseMs - 1)
    expect(await waitOf(delay)).toBeGreaterThan(0)
    vi.advanceTimersByTime(1)
    expect(await waitOf(delay)).toBe(0)
  }
})

test('of many parallel attempts beyond the free ones only one passes', async () => {
  const delay = create()
  const waits = await Promise.all(Array.from({ length: 50 }, () => waitOf(delay)))
  expect(waits.filter((ms) => ms === 0)).toHaveLength(4)
})

test('an attempt that is taken back does not count', async () => {
  const delay = create()
  for (let attempt = 0; attempt < 20; attempt += 1) {
    expect(await waitOf(delay)).toBe(0)
    await delay.reward('a')
  }
})
