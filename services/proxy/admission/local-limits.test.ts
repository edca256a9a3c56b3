import { afterEach, expect, test, vi } from 'vitest'
import { hour, minute } from '#core/units.ts'
import type { LimitRule } from './limit-rules.ts'
import { LocalLimits } from './local-limits.ts'

afterEach(() => void vi.useRealTimers())

const ruleOf = (key: string): LimitRule => ({
  name: 'plan-day',
  key,
  unit: 'requests',
  limit: 5_000,
  code: 'quota_exceeded',
  endsAtMs: Date.now() + minute,
})

test('requests of thousands of tokens without Redis all count for their account', () => {
  const limits = new LocalLimits()
  const account = [ruleOf('day'), ruleOf('month')]
  const now = Date.now()
  for (let token = 0; token < 3_000; token += 1) {
    limits.count('a', limits.current('a', [...account, ruleOf(`token ${token}`)], now), 1)
  }
  expect(limits.current('a', account, now)).toMatchObject([{ used: 3_000 }, { used: 3_000 }])
  expect(limits.takeOwed('a', account, now)).toMatchObject([{ amount: 3_000 }, { amount: 3_000 }])
  expect(limits.takeOwed('a', account, now)).toEqual([])
  limits.count('a', limits.current('a', account, now), 1)
  expect(limits.takeOwed('a', account, now + minute)).toEqual([])
})

test('requests without Redis all count for a window, whose end its replies tell only approximately', () => {
  const limits = new LocalLimits()
  const rule = ruleOf('minute')
  const now = Date.now()
  for (const endsAtMs of [0, -3, 2].map((difference) => now + minute + difference)) {
    limits.count('a', [{ rule, used: 0, endsAtMs }], 1)
  }
  limits.owe('a', { rule, endsAtMs: now }, -1)
  expect(limits.takeOwed('a', [rule], now)).toMatchObject([{ amount: 3 }])
})

test('a limit that left no room is asked for again after a second, because other proxies take back what they counted', () => {
  vi.useFakeTimers()
  const rule = { ...ruleOf('k'), limit: 5 }
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

test('a limit has room again once a request is taken back, or its window has ended', () => {
  const [day, month] = ['day', 'month'].map((key) => ({ ...ruleOf(key), limit: 5 }))
  const limits = new LocalLimits()
  const now = Date.now()
  const isExhausted = (rule = day, at = now) => limits.isExhausted('a', [rule!], at)
  limits.remember('a', [
    { rule: day!, used: 5, endsAtMs: now + minute },
    { rule: month!, used: 5, endsAtMs: now + 1 },
  ])
  limits.add('a', day!, -1)
  expect([isExhausted(), isExhausted(month), isExhausted(month, now + 1)]).toEqual([false, true, false])
})
