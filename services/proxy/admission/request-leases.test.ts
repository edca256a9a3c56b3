import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LimitRule } from './limit-rules.ts'
import { RequestLeases } from './request-leases.ts'

const now = Date.UTC(2026, 10, 20)
const limit = 1_000
const endsAtMs = now + 30_000
const rule: LimitRule = { name: 'm', key: 'k', unit: 'requests', limit, code: 'rate_limited', endsAtMs: undefined }
const rules = [rule]
const windows = (used: number) => [{ rule, used, endsAtMs }]
const take = (leases: RequestLeases, at = now) => leases.take('a', rules, at)?.[0]
const givenBack = vi.fn()
const openLeases = () => new RequestLeases((_windows, requests) => givenBack(requests))

beforeEach(() => void vi.useFakeTimers({ now }))
afterEach(() => {
  vi.useRealTimers()
  givenBack.mockReset()
})

test('grants as many requests as were prefetched, each with its place in the window', () => {
  const leases = openLeases()
  expect(take(leases, now)).toBeUndefined()
  leases.add('a', windows(40), 2, 1, now)
  expect(take(leases, now)).toEqual({ rule, used: 41, endsAtMs })
  expect(leases.take('b', rules, now)).toBeUndefined()
  expect(take(leases, now)).toMatchObject({ used: 42 })
  expect(take(leases, now)).toBeUndefined()
})

test('a new lease keeps what is left of the previous one', () => {
  const leases = openLeases()
  leases.add('a', windows(10), 8, 1, now)
  leases.add('a', windows(10 + 8 + 1), 8, 1, now)
  const used = Array.from({ length: 17 }, () => take(leases, now)?.used)
  expect(used).toEqual([...Array.from({ length: 16 }, (_, at) => 12 + at), undefined])
})

test('a lease ends after a second, with its window, a changed limit, a forgotten account, or a clock that was set back', () => {
  const leases = openLeases()
  leases.add('a', windows(1), 8, 1, now)
  expect(take(leases, now + 1_000)).toBeUndefined()
  leases.add('b', [{ rule, used: 1, endsAtMs: now + 100 }], 8, 1, now)
  expect(leases.take('b', rules, now + 100)).toBeUndefined()
  expect(leases.take('a', [{ ...rule, limit: limit - 1 }], now)).toBeUndefined()
  expect(take(leases, now - 3_600_000)).toBeUndefined()
  leases.forget('b')
  expect(take(leases, now)).toBeDefined()
  leases.forget('a')
  expect(take(leases, now)).toBeUndefined()
  leases.add('a', windows(1), 8, 1, now)
  leases.forget(undefined)
  expect(take(leases, now)).toBeUndefined()
})

test('what is not used within a second, or until the process stops, is given back once', () => {
  const leases = openLeases()
  leases.add('a', windows(1), 8, 1, now)
  take(leases)
  vi.advanceTimersByTime(999)
  expect(givenBack).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(givenBack.mock.calls).toEqual([[7]])
  leases.add('a', windows(1), 8, 1, Date.now())
  leases.close()
  vi.advanceTimersByTime(2_000)
  expect(givenBack.mock.calls).toEqual([[7], [8]])
})

test('a refunded request can be granted again while its lease lasts', () => {
  const leases = openLeases()
  leases.add('a', windows(1), 2, 1, now)
  take(leases)
  expect(leases.refund('a', rules, now)).toBe(true)
  expect([take(leases)?.used, take(leases)?.used, take(leases)?.used]).toEqual([2, 3, undefined])
  expect(leases.refund('a', rules, now)).toBe(false)
})

test('a lease is twice what the last one granted, and none after a pause', () => {
  const leases = openLeases()
  const wanted = (at: number) => leases.wanted('a', rules, at)
  expect(wanted(now)).toBe(0)
  leases.add('a', windows(1), 0, 1, now)
  expect(wanted(now + 10)).toBe(8)
  leases.add('a', windows(2), 8, 1, now + 10)
  for (let time = 0; time < 8; time += 1) take(leases, now + 20)
  expect([wanted(now + 20), wanted(now + 1_500), wanted(now + 2_010)]).toEqual([18, 18, 0])
  leases.add('a', windows(200), 256, 1, now + 30)
  for (let time = 0; time < 256; time += 1) take(leases, now + 30)
  expect(wanted(now + 40)).toBe(256)
})
