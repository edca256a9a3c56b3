import { afterEach, expect, test, vi } from 'vitest'
import { hour, minute } from '#core/units.ts'
import type { LimitRule } from './limit-rules.ts'
import { LocalLimits } from './local-limits.ts'

afterEach(() => void vi.useRealTimers())

test('a limit that left no room is asked for again after a second, because other proxies take back what they counted', () => {
  vi.useFakeTimers()
  const rule: LimitRule = {
    name: 'plan-day',
    key: 'k',
    unit: 'requests',
    limit: 5,
    code: 'quota_exceeded',
    endsAtMs: Date.now() + minute,
  }
  const limits = new LocalLimits()
  limits.remember('a', [{ rule, used: 5, endsAtMs: Date.now() + minute }])
  const isExhausted = () => limits.isExhausted('a', [rule], Date.now())
  expect(isExhausted()).toBe(true)
  vi.advanceTimersByTime(999)
  expect(isExhausted()).toBe(true)
  vi.advanceTimersByTime(1)
  expect(isExhausted()).toBe(false)
  vi.setSystemTime(Date.now() - hour)
  expect(isExhausted()).toBe(false)
})
