import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LimitRule } from './limit-rules.ts'
import { RequestLeases, type Share } from './request-leases.ts'

const now = Date.UTC(2026, 10, 20)
const limit = 1_000
const endsAtMs = now + 30_000
const rule: LimitRule = { name: 'm', key: 'k', unit: 'requests', limit, code: 'rate_limited', endsAtMs: undefined }
const rules = [rule]
const windows = (used: number) => [{ rule, used, endsAtMs }]
const take = (leases: RequestLeases, at = now) => leases.take('a', 'k', rules, at)?.windows[0]
const giveBack = vi.fn()
const lease = (used: number, requests: number, granted = 1) => ({
  windows: windows(used),
  leased: { requests, tokens: 0, nanoUsd: 0 },
  granted,
  giveBack: (_windows: unknown, left: Share) => void giveBack({ ...left }),
})

beforeEach(() => void vi.useFakeTimers({ now }))
afterEach(() => {
  // First, because restoring a spied timer brings back the fake one, also for the next file of the process.
  vi.restoreAllMocks()
  vi.useRealTimers()
  giveBack.mockReset()
})

test('grants as many requests as were leased, each with its place in the window', () => {
  const leases = new RequestLeases()
  expect(take(leases, now)).toBeUndefined()
  leases.add('a', 'k', lease(40, 2), now)
  expect(take(leases, now)).toEqual({ rule, used: 41, endsAtMs })
  expect(leases.take('b', 'k', rules, now)).toBeUndefined()
  expect(take(leases, now)).toMatchObject({ used: 42 })
  expect(take(leases, now)).toBeUndefined()
})

test('a lease of a window that has ended is returned at once', () => {
  const timer = vi.spyOn(globalThis, 'setTimeout')
  const leases = new RequestLeases()
  leases.add('a', 'k', { ...lease(1, 8), windows: [{ rule, used: 1, endsAtMs: now - 1 }] }, now)
  // Node warns of a negative time.
  expect(timer).toHaveBeenCalledWith(expect.any(Function), 0)
  vi.advanceTimersByTime(1)
  expect(giveBack).toHaveBeenCalledWith({ requests: 8, tokens: 0, nanoUsd: 0 })
})

test('a new lease keeps what is left of the previous one', () => {
  const leases = new RequestLeases()
  leases.add('a', 'k', lease(10, 8), now)
  leases.add('a', 'k', lease(10 + 8 + 1, 8), now)
  const used = Array.from({ length: 17 }, () => take(leases, now)?.used)
  expect(used).toEqual([...Array.from({ length: 16 }, (_, at) => 12 + at), undefined])
})

test('a lease ends after a second, with its window, a changed limit, a forgotten account, or a clock that was set back', () => {
  const leases = new RequestLeases()
  leases.add('a', 'k', lease(1, 8), now)
  expect(take(leases, now + 1_000)).toBeUndefined()
  leases.add('b', 'k', { ...lease(1, 8), windows: [{ rule, used: 1, endsAtMs: now + 100 }] }, now)
  expect(leases.take('b', 'k', rules, now + 100)).toBeUndefined()
  expect(leases.take('a', 'k', [{ ...rule, limit: limit - 1 }], now)).toBeUndefined()
  expect(take(leases, now - 3_600_000)).toBeUndefined()
  leases.forget('b')
  expect(take(leases, now)).toBeDefined()
  leases.forget('a')
  expect(take(leases, now)).toBeUndefined()
  leases.add('a', 'k', lease(1, 8), now)
  leases.forget(undefined)
  expect(take(leases, now)).toBeUndefined()
})

test('what is not used within a second, or until the process stops, is given back once', () => {
  const leases = new RequestLeases()
  leases.add('a', 'k', lease(1, 8), now)
  take(leases)
  vi.advanceTimersByTime(999)
  expect(giveBack).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(giveBack.mock.calls).toEqual([[{ requests: 7, tokens: 0, nanoUsd: 0 }]])
  leases.add('a', 'k', lease(1, 8), Date.now())
  leases.close()
  vi.advanceTimersByTime(2_000)
  expect(giveBack.mock.calls.slice(1)).toEqual([[{ requests: 8, tokens: 0, nanoUsd: 0 }]])
})

test('a request takes its tokens and its money of the lease, if there are enough of them', () => {
  const leases = new RequestLeases()
  const tokens: LimitRule = { ...rule, name: 't', key: 't', unit: 'tokens' }
  const both = [rule, tokens]
  const counted = both.map((one) => ({ rule: one, used: 100, endsAtMs }))
  leases.add('a', 'k', { ...lease(0, 0), windows: counted, leased: { requests: 8, tokens: 80, nanoUsd: 40 } }, now)
  const used = (share: { tokens: number; nanoUsd: number }) =>
    leases.take('a', 'k', both, now, share)?.windows.map((window) => window.used)
  expect(used({ tokens: 50, nanoUsd: 10 })).toEqual([101, 150])
  expect(used({ tokens: 31, nanoUsd: 10 })).toBeUndefined()
  expect(used({ tokens: 30, nanoUsd: 31 })).toBeUndefined()
  expect(used({ tokens: 30, nanoUsd: 30 })).toEqual([102, 180])
  expect(leases.reconcile('a', 'k', both, 20, now)).toBe(true)
  expect(used({ tokens: 20, nanoUsd: 0 })).toEqual([103, 180])
  expect(leases.reconcile('a', 'k', both, -1, now)).toBe(false)
  leases.close()
  expect(giveBack).toHaveBeenCalledWith({ requests: 5, tokens: 0, nanoUsd: 0 })
})

test.each([
  ['tokens', { tokens: 10, nanoUsd: 0 }],
  ['money', { tokens: 0, nanoUsd: 40 }],
])('a lease without any requests left gives the rest of its %s back', (_what, rest) => {
  const leases = new RequestLeases()
  leases.add('a', 'k', { ...lease(0, 0), leased: { requests: 1, ...rest } }, now)
  take(leases)
  vi.advanceTimersByTime(1_000)
  expect(giveBack.mock.calls).toEqual([[{ requests: 0, ...rest }]])
})

test('a lease that is used up has nothing to give back', () => {
  const leases = new RequestLeases()
  leases.add('a', 'k', lease(1, 1), now)
  take(leases)
  vi.advanceTimersByTime(1_000)
  expect(giveBack).not.toHaveBeenCalled()
})

test('a refunded request can be granted again while its lease lasts', () => {
  const leases = new RequestLeases()
  leases.add('a', 'k', lease(1, 2), now)
  take(leases)
  expect(leases.refund('a', 'k', rules, now)).toBe(true)
  expect([take(leases)?.used, take(leases)?.used, take(leases)?.used]).toEqual([2, 3, undefined])
  expect(leases.refund('a', 'k', rules, now)).toBe(false)
})

test('a lease is twice what the last one granted, and none after a pause', () => {
  const leases = new RequestLeases()
  const wanted = (at: number) => leases.wanted('a', 'k', at)
  expect(wanted(now)).toBe(0)
  leases.note('a', 'k', now)
  expect(wanted(now + 10)).toBe(8)
  leases.add('a', 'k', lease(2, 8), now + 10)
  expect(wanted(now + 10)).toBe(0)
  for (let time = 0; time < 8; time += 1) take(leases, now + 20)
  expect([wanted(now + 20), wanted(now + 1_500), wanted(now + 2_010)]).toEqual([18, 18, 0])
  leases.add('a', 'k', lease(200, 256), now + 30)
  for (let time = 0; time < 256; time += 1) take(leases, now + 30)
  expect(wanted(now + 40)).toBe(256)
})
