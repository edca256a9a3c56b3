import { beforeEach, expect, test } from 'vitest'
import { KeyLimits } from './key-limits.ts'

const owner = { accountId: 'a', distribution: 'spread' } as const
const keys = ['primary', 'backup', 'spare'].map((id) => ({ id, secret: `sk-${id}` }))
const left = (requests: number, tokens = 1_000) => ({
  'x-ratelimit-limit-requests': '100',
  'x-ratelimit-remaining-requests': String(requests),
  'x-ratelimit-limit-tokens': '1000',
  'x-ratelimit-remaining-tokens': String(tokens),
})

let now: number
let limits: KeyLimits
beforeEach(() => {
  now = 1_000
  limits = new KeyLimits(() => now)
})
const ids = (from = limits) => from.spread(keys).map(({ id }) => id)

test('the key with the largest part of its limits left comes first, by requests and by tokens', () => {
  limits.observe(owner, 'primary', left(50))
  limits.observe(owner, 'backup', left(90))
  limits.observe(owner, 'spare', left(99, 100))
  expect(ids()).toEqual(['backup', 'primary', 'spare'])
  // A provider may report one of both limits, and an error none.
  limits.observe(owner, 'backup', { 'x-ratelimit-limit-requests': '10', 'x-ratelimit-remaining-requests': '1' })
  limits.observe(owner, 'backup', {})
  expect(ids()).toEqual(['primary', 'backup', 'spare'])
})

test('among equal keys the one with the fewest requests in flight comes first, then the primary', () => {
  expect(ids()).toEqual(['primary', 'backup', 'spare'])
  limits.began(owner, 'primary')
  expect(ids()).toEqual(['backup', 'spare', 'primary'])
  limits.ended('primary')
  limits.ended('primary')
  expect(ids()).toEqual(['primary', 'backup', 'spare'])
  limits.began(owner, 'primary')
  expect(ids()).toEqual(['backup', 'spare', 'primary'])
})

test('limits that are unknown, unreadable or older than a minute count as unused', () => {
  limits.observe(owner, 'primary', left(10))
  limits.observe(owner, 'backup', { ...left(0), 'x-ratelimit-limit-requests': 'many' })
  expect(ids()).toEqual(['backup', 'spare', 'primary'])
  now += 60_001
  expect(ids()).toEqual(['primary', 'backup', 'spare'])
  // The clock was set back.
  now = -60_000
  expect(ids()).toEqual(['primary', 'backup', 'spare'])
})

test('other proxies learn what one observed, unless they know something newer', () => {
  limits.observe(owner, 'primary', left(10))
  const other = new KeyLimits(() => now)
  const changes = limits.takeChanges()
  expect(limits.takeChanges()).toEqual([])
  for (const change of changes) other.learn(change)
  expect(ids(other)).toEqual(['backup', 'spare', 'primary'])
  now += 1
  limits.observe(owner, 'primary', left(100))
  for (const change of [...limits.takeChanges(), ...changes]) other.learn(change)
  expect(ids(other)).toEqual(['primary', 'backup', 'spare'])
})
