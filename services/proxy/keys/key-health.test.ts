import { expect, test } from 'vitest'
import { KeyHealth, type Cooldown } from './key-health.ts'

const keys = ['primary', 'backup', 'spare'].map((id) => ({ id, secret: `sk-${id}` }))
const ids = (health: KeyHealth) => health.order(keys, '/v1/models').map((key) => key.id)

test('a key that rests is tried last, and the others learn of it', () => {
  const announced: Cooldown[] = []
  const now = 1_000
  const health = new KeyHealth((cooldown) => announced.push(cooldown), { now: () => now })
  health.coolDown('primary', 500)
  expect(ids(health)).toEqual(['backup', 'spare', 'primary'])
  expect(announced).toEqual([{ keyId: 'primary', untilMs: 1_500 }])
  const other = new KeyHealth(() => undefined, { now: () => now })
  other.learn({ keyId: 'primary', untilMs: 1_500 })
  expect(ids(other)).toEqual(['backup', 'spare', 'primary'])
  expect(other.cooling).toBe(1)
})

test('when the rest is over one request probes the key, and the others wait for it', () => {
  let now = 0
  const health = new KeyHealth(() => undefined, { now: () => now })
  health.coolDown('primary', 500)
  now = 501
  expect(ids(health)[0]).toBe('primary')
  health.use('primary', '/v1/models')
  expect(ids(health)[0]).toBe('backup')
  health.recovered('primary', '/v1/models')
  expect(ids(health)[0]).toBe('primary')
})

test('when all of them rest, the one that is back soonest is tried', () => {
  const health = new KeyHealth(() => undefined, { now: () => 0 })
  health.coolDown('primary', 900)
  health.coolDown('backup', 300)
  health.coolDown('spare', 600)
  expect(ids(health)).toEqual(['backup', 'spare', 'primary'])
})

test('a key that is refused for one endpoint is good for the others', () => {
  const health = new KeyHealth(() => undefined, { now: () => 0 })
  health.coolDown('primary', 500, '/v1/fine_tuning/jobs')
  expect(ids(health)[0]).toBe('primary')
  expect(health.order(keys, '/v1/fine_tuning/jobs')[0]!.id).toBe('backup')
  expect(health.cooling).toBe(0)
  health.recovered('primary', '/v1/fine_tuning/jobs')
  expect(health.order(keys, '/v1/fine_tuning/jobs')[0]!.id).toBe('primary')
})
