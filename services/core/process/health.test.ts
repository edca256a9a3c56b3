import Fastify from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { expect, test } from 'vitest'
import { addHealthRoutes, type Health, mergeHealth } from './health.ts'

const healthy: Health = { problems: [], needs: { postgres: 'ok' }, isReady: true }
const withoutPostgres: Health = { ...healthy, needs: { postgres: 'unavailable' } }
const problems = ['The schema of Postgres is too old.']

async function read(health: Health, isDraining = false) {
  const app = Fastify().setSerializerCompiler(serializerCompiler)
  addHealthRoutes(
    app,
    () => isDraining,
    async () => health,
  )
  const responses = await Promise.all(['/healthz', '/startupz', '/readyz'].map((path) => app.inject(path)))
  return responses.map((response) => `${response.statusCode} ${response.json().status}`).join(', ')
}

test.each<[string, Health, string]>([
  ['has all that it needs', healthy, '200 ok, 200 ok, 200 ok'],
  ['has lost a store', withoutPostgres, '200 ok, 200 ok, 200 degraded'],
  ['has lost its spool', { ...healthy, isReady: false }, '200 ok, 200 ok, 503 unavailable'],
  ['has not started', { ...healthy, problems }, '200 ok, 503 starting, 503 starting'],
])('a process that %s', async (_, health, expected) => {
  expect(await read(health)).toBe(expected)
})

test('a process that stops has started and is not ready', async () => {
  expect(await read(healthy, true)).toBe('200 ok, 200 ok, 503 draining')
})

test('a need that is unavailable to one of several processes is unavailable; the same problem is shown once', () => {
  const one: Health = { problems, needs: { a: 'ok', b: 'unavailable' }, isReady: true }
  const other: Health = { problems, needs: { b: 'ok' }, isReady: false }
  expect(mergeHealth([one, other])).toEqual({ problems, needs: { a: 'ok', b: 'unavailable' }, isReady: false })
})
