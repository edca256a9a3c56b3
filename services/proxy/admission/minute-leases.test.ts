import { expect, test } from 'vitest'
import { MinuteLeases } from './minute-leases.ts'

const now = Date.UTC(2026, 10, 20)
const limit = 1_000
const endsAtMs = now + 30_000

test('grants as many requests as were prefetched, each with its place in the window', () => {
  const leases = new MinuteLeases()
  expect(leases.take('a', limit, now)).toBeUndefined()
  leases.add('a', { used: 40, limit, endsAtMs }, 2, now)
  expect(leases.take('a', limit, now)).toMatchObject({ used: 41, limit, endsAtMs })
  expect(leases.take('b', limit, now)).toBeUndefined()
  expect(leases.take('a', limit, now)).toMatchObject({ used: 42 })
  expect(leases.take('a', limit, now)).toBeUndefined()
})

test('a new lease keeps what is left of the previous one', () => {
  const leases = new MinuteLeases()
  leases.add('a', { used: 10, limit, endsAtMs }, 8, now)
  leases.add('a', { used: 10 + 8 + 1, limit, endsAtMs }, 8, now)
  const used = Array.from({ length: 17 }, () => leases.take('a', limit, now)?.used)
  expect(used).toEqual([...Array.from({ length: 16 }, (_, at) => 12 + at), undefined])
})

test('a lease ends with its window, a changed limit, a forgotten account, or a clock that was set back', () => {
  const leases = new MinuteLeases()
  leases.add('a', { used: 1, limit, endsAtMs }, 8, now)
  expect(leases.take('a', limit, endsAtMs)).toBeUndefined()
  expect(leases.take('a', limit - 1, now)).toBeUndefined()
  expect(leases.take('a', limit, now - 3_600_000)).toBeUndefined()
  leases.forget('b')
  expect(leases.take('a', limit, now)).toBeDefined()
  leases.forget('a')
  expect(leases.take('a', limit, now)).toBeUndefined()
  leases.add('a', { used: 1, limit, endsAtMs }, 8, now)
  leases.forget(undefined)
  expect(leases.take('a', limit, now)).toBeUndefined()
})
