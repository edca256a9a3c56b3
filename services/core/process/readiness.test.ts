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

test('needs are reported by name, and the process is not ready while one of them fails or does not respond', async () => {
  const readiness = new Readiness()
  const checks = { clickhouse: (): Promise<unknown> => Promise.resolve() }
  readiness.add('postgres', async () => 1)
  readiness.add('clickhouse', () => checks.clickhouse())
  const read = serve(readiness)
  expect(await read()).toEqual({ statusCode: 200, status: 'ok', needs: { postgres: 'ok', clickhouse: 'ok' } })
  const unavailable = { statusCode: 503, status: 'unavailable', needs: { postgres: 'ok', clickhouse: 'unavailable' } }
  checks.clickhouse = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:8123'))
  await expect.poll(read).toEqual(unavailable)
  checks.clickhouse = () => new Promise(() => undefined)
  await expect.poll(read).toEqual(unavailable)
})

test('a need of several roles is ok only when all checks pass', async () => {
  const readiness = new Readiness()
  readiness.add('redis-state', () => Promise.reject(new Error('down')))
  readiness.add('redis-state', async () => 1)
  expect(await serve(readiness)()).toMatchObject({ statusCode: 503, needs: { 'redis-state': 'unavailable' } })
})

test('a process that stops is not ready', async () => {
  const readiness = new Readiness()
  readiness.isDraining = true
  expect(await serve(readiness)()).toMatchObject({ statusCode: 503, status: 'draining' })
})

test('a Redis that can not write is not ready', async () => {
  const readiness = new Readiness()
  const replica = { set: () => Promise.reject(new Error('READONLY You can not write against a read only replica.')) }
  readiness.addRedis('redis-queue', replica as never)
  expect(await serve(readiness)()).toMatchObject({ statusCode: 503, needs: { 'redis-queue': 'unavailable' } })
})

test('a need that is unavailable to one of several processes is unavailable', () => {
  expect(mergeNeeds([{ a: 'ok', b: 'unavailable' }, { b: 'ok' }])).toEqual({ a: 'ok', b: 'unavailable' })
})
