import { beforeEach, expect, test } from 'vitest'
import { hour, minute } from '#core/units.ts'
import { KeyHealth, type Cooldown } from './key-health.ts'

const keys = ['primary', 'backup', 'spare'].map((id) => ({ id, secret: `sk-${id}` }))
const createHealth = (announce: (cooldown: Cooldown) => void) => new KeyHealth(announce, () => now)
const ids = (from: KeyHealth, endpoint = '/v1/models') => from.order(keys, endpoint).map((key) => key.id)

let now: number
let announced: Cooldown[]
let health: KeyHealth
beforeEach(() => {
  now = 1_000
  announced = []
  health = createHealth((cooldown) => announced.push(cooldown))
})

test('a key in cooldown is tried last, also by the other proxies', () => {
  health.coolDown('primary', 500)
  expect(ids(health)).toEqual(['backup', 'spare', 'primary'])
  expect(announced).toEqual([{ keyId: 'primary', untilMs: 1_500 }])
  const other = createHealth(() => undefined)
  for (const cooldown of announced) other.learn(cooldown)
  expect(ids(other)).toEqual(['backup', 'spare', 'primary'])
  expect(other.cooling).toBe(1)
})

test('a cooldown lasts ten minutes at most', () => {
  expect(health.coolDown('primary', hour)).toBe(now + 10 * minute)
  now += 10 * minute
  expect(ids(health)[0]).toBe('primary')
})

test('after the cooldown one request probes the key, and the others wait for it', () => {
  health.coolDown('primary', 500)
  now += 501
  expect(ids(health)[0]).toBe('primary')
  const begun = health.use('primary', '/v1/models')
  expect(ids(health)[0]).toBe('backup')
  health.recovered('primary', '/v1/models', begun)
  expect(ids(health)[0]).toBe('primary')
  // The probe is over, also for a cooldown that another proxy announces later.
  health.learn({ keyId: 'primary', untilMs: now + 500 })
  now += 501
  expect(ids(health)[0]).toBe('primary')
})

test('a request that was sent during a cooldown ends it, although its announcement comes back later', () => {
  health.coolDown('primary', 500)
  const begun = health.use('primary', '/v1/models')
  health.learn(announced[0]!)
  expect(health.recovered('primary', '/v1/models', begun)).toBe(true)
})

test('a cooldown that began before the clock was set back is over', () => {
  now = 4_000_000
  health.coolDown('primary', 500)
  health.coolDown('spare', 500, '/v1/models')
  now -= hour
  expect(ids(health)).toEqual(['primary', 'backup', 'spare'])
  health.use('primary', '/v1/models')
  expect(ids(health)[0]).toBe('backup')
})

test('when all keys cool down, the one whose cooldown ends first is tried', () => {
  health.coolDown('primary', 900)
  health.coolDown('backup', 300)
  health.coolDown('spare', 600)
  expect(ids(health)).toEqual(['backup', 'spare', 'primary'])
})

test('a key that one endpoint rejects is still used for the others', () => {
  health.coolDown('primary', 500, '/v1/fine_tuning/jobs')
  expect(ids(health)[0]).toBe('primary')
  expect(ids(health, '/v1/fine_tuning/jobs')[0]).toBe('backup')
  expect(health.cooling).toBe(0)
  health.recovered('primary', '/v1/fine_tuning/jobs', 1)
  expect(ids(health, '/v1/fine_tuning/jobs')[0]).toBe('primary')
  expect(announced.at(-1)).toEqual({ keyId: 'primary', endpoint: '/v1/fine_tuning/jobs', untilMs: 0 })
})

test('a failure and the recovery from it are reported together, and once', () => {
  const change = { accountId: 'a', keyId: 'primary' }
  const failure = { status: 503, message: null, endpoint: null, atMs: 1, cooldownUntilMs: 2 }
  health.report({ ...change, failure })
  health.report({ ...change, recoveredAtMs: 3 })
  expect(health.takeReports()).toEqual([{ ...change, failure, recoveredAtMs: 3 }])
  expect(health.takeReports()).toEqual([])
})
