import { expect, test } from 'vitest'
import type { LimitRule } from './limit-rules.ts'
import { MinuteLeases } from './minute-leases.ts'

const now = Date.UTC(2026, 10, 20)
const limit = 1_000
const endsAtMs = now + 30_000
const rule: LimitRule = { name: 'm', key: 'k', unit: 'requests', limit, code: 'rate_limited', endsAtMs: undefined }
const rules = [rule]
const windows = (used: number) => [{ rule, used, endsAtMs }]
const take = (leases: MinuteLeases, at = now) => leases.take('a', rules, at)?.[0]

test('grants as many requests as were prefetched, each with its place in the window', () => {
  const leases = new MinuteLeases()
  expect(take(leases, now)).toBeUndefined()
  leases.add('a', windows(40), 2, now)
  expect(take(leases, now)).toEqual({ rule, used: 41, endsAtMs })
  expect(leases.take('b', rules, now)).toBeUndefined()
  expect(take(leases, now)).toMatchObject({ used: 42 })
  expect(take(leases, now)).toBeUndefined()
})

test('a new lease keeps what is left of the previous one', () => {
  const leases = new MinuteLeases()
  leases.add('a', windows(10), 8, now)
  leases.add('a', windows(10 + 8 + 1), 8, now)
  const used = Array.from({ length: 17 }, () => take(leases, now)?.used)
  expect(used).toEqual([...Array.from({ length: 16 }, (_, at) => 12 + at), undefined])
})

test('a lease ends with its window, a changed limit, a forgotten account, or a clock that was set back', () => {
  const leases = new MinuteLeases()
  leases.add('a', windows(1), 8, now)
  expect(take(leases, endsAtMs)).toBeUndefined()
  expect(leases.take('a', [{ ...rule, limit: limit - 1 }], now)).toBeUndefined()
  expect(take(leases, now - 3_600_000)).toBeUndefined()
  leases.forget('b')
  expect(take(leases, now)).toBeDefined()
  leases.forget('a')
  expect(take(leases, now)).toBeUndefined()
  leases.add('a', windows(1), 8, now)
  leases.forget(undefined)
  expect(take(leases, now)).toBeUndefined()
})
