import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { Readiness } from './readiness.ts'

const down = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:8123'))

test('a store that fails or does not respond is unavailable, and the process stays ready', async () => {
  const readiness = new Readiness()
  const checks = { clickhouse: (): Promise<unknown> => Promise.resolve() }
  readiness.add('postgres', async () => 1)
  readiness.add('clickhouse', () => checks.clickhouse())
  expect(await readiness.check()).toMatchObject({ needs: { postgres: 'ok', clickhouse: 'ok' }, isReady: true })
  const unavailable = { needs: { postgres: 'ok', clickhouse: 'unavailable' }, isReady: true }
  checks.clickhouse = down
  await expect.poll(() => readiness.check()).toMatchObject(unavailable)
  checks.clickhouse = () => new Promise(() => undefined)
  await expect.poll(() => readiness.check()).toMatchObject(unavailable)
})

test('a need of several roles is ok only when all checks pass', async () => {
  const readiness = new Readiness()
  readiness.add('redis-state', down)
  readiness.add('redis-state', async () => 1)
  expect((await readiness.check()).needs).toEqual({ 'redis-state': 'unavailable' })
})

test('without a need of its own a process is not ready', async () => {
  const readiness = new Readiness()
  readiness.addOwn('spool', down)
  expect(await readiness.check()).toMatchObject({ needs: { spool: 'unavailable' }, isReady: false })
})

test('a Redis that can not write is unavailable', async () => {
  const readiness = new Readiness()
  const replica = {
    status: 'ready',
    set: () => Promise.reject(new Error('READONLY You can not write against a read only replica.')),
  }
  readiness.addRedis('redis-queue', replica as never)
  expect((await readiness.check()).needs).toEqual({ 'redis-queue': 'unavailable' })
})

test('a Redis is checked once it is connected', async () => {
  const readiness = new Readiness()
  const redis = Object.assign(new EventEmitter(), {
    status: 'connecting',
    set: () => (redis.status === 'ready' ? Promise.resolve() : down()),
  })
  readiness.addRedis('redis-state', redis as never)
  const checked = readiness.check()
  redis.status = 'ready'
  redis.emit('ready')
  expect((await checked).needs).toEqual({ 'redis-state': 'ok' })
})
