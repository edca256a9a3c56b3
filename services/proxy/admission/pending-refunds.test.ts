import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LimitWindow } from './decision.ts'
import { PendingRefunds } from './pending-refunds.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const rule = { name: 'token-tokens', key: 'k', unit: 'tokens', limit: 100, code: 'token_tokens_limited' } as const
const windowFor = (ms: number): LimitWindow => ({
  rule: { ...rule, endsAtMs: undefined },
  used: 0,
  endsAtMs: Date.now() + ms,
})

test('refunds are sent together, unless a call has taken them', () => {
  const sent: [string, number][] = []
  const refunds = new PendingRefunds((key, amount) => sent.push([key, amount]))
  refunds.add(windowFor(1_000), 7)
  refunds.add(windowFor(1_000), -3)
  expect(refunds.take('k', Date.now())).toBe(4)
  refunds.add(windowFor(1_000), 5)
  vi.runAllTimers()
  expect([sent, refunds.take('k', Date.now())]).toEqual([[['k', 5]], 0])
})

test('nothing is taken back from the window that follows', () => {
  const sent: unknown[] = []
  const refunds = new PendingRefunds((...refund) => sent.push(refund))
  refunds.add(windowFor(10), 7)
  vi.advanceTimersByTime(10)
  refunds.add(windowFor(1_000), 2)
  expect(refunds.take('k', Date.now())).toBe(0)
  refunds.add(windowFor(10), 7)
  vi.runAllTimers()
  expect(sent).toEqual([])
})
