import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { addHealthRoutes, mergeNeeds, Readiness } from './readiness.ts'

function serve(readiness: Readiness) {
  const app = Fastify()
  addHealthRoutes(app, readiness)
  return async () => {
    const { statusCode, body } = await app.inject('/readyz')
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    return { statusCode, ...JSON.parse(body) }
  }
}

test('what a process needs is told by name, and it is not ready while one of them is away or does not answer', async () => {
  const readiness = new Readiness()
  const checks = { clickhouse: (): Promise<unknown> => Promise.resolve() }
  readiness.add('postgres', async () => 1)
  readiness.add('clickhouse', () => checks.clickhouse())
  const ask = serve(readiness)
  expect(await ask()).toEqual({ statusCode: 200, status: 'ok', needs: { postgres: 'ok', clickhouse: 'ok' } })
  const away = { statusCode: 503, status: 'unavailable', needs: { postgres: 'ok', clickhouse: 'unavailable' } }
  checks.clickhouse = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:8123'))
  await expect.poll(ask).toEqual(away)
  checks.clickhouse = () => new Promise(() => undefined)
  await expect.poll(ask).toEqual(away)
})

test('where roles share a process, none of them leaves out what another one needs', async () => {
  const readiness = new Readiness()
  readiness.add('redis-state', () => Promise.reject(new Error('of the proxy')))
  readiness.add('redis-state', async () => 1)
  expect(await serve(readiness)()).toMatchObject({ statusCode: 503, needs: { 'redis-state': 'unavailable' } })
})

test('a process that stops is not ready, whatever it has', async () => {
  const readiness = new Readiness()
  const ask = serve(readiness)
  readiness.isDraining = true
  expect(await ask()).toMatchObject({ statusCode: 503, status: 'draining' })
})

test('a Redis is asked to write: one that is a replica, or full, still answers a ping', async () => {
  const readiness = new Readiness()
  const replica = { set: () => Promise.reject(new Error('READONLY You can not write against a read only replica.')) }
  readiness.addRedis('redis-queue', replica as never)
  expect(await serve(readiness)()).toMatchObject({ statusCode: 503, needs: { 'redis-queue': 'unavailable' } })
})

test('what one of several processes lacks is lacking', () => {
  expect(
    mergeNeeds([
      { a: 'ok', b: 'unavailable' },
      { a: 'ok', b: 'ok' },
    ]),
  ).toEqual({ a: 'ok', b: 'unavailable' })
})
