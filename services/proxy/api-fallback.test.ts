import Fastify, { type FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { addApiFallback } from './api-fallback.ts'

async function forwardTo(api: FastifyInstance) {
  const gateway = Fastify()
  onTestFinished(() => gateway.close())
  await addApiFallback(gateway, await api.listen({ port: 0, host: '127.0.0.1' }), () => true)
  return gateway
}

test('a request that the api rejects as overloaded is sent once', async () => {
  let calls = 0
  const api = Fastify().get('/api/logs', (_request, reply) => {
    calls += 1
    return reply.code(503).header('retry-after', '1').send('busy')
  })
  const gateway = await forwardTo(api)
  const { statusCode, body } = await gateway.inject('/api/logs')
  await api.close()
  expect([statusCode, body, calls]).toEqual([503, 'busy', 1])
})

test('without the api, the response is the problem that its clients know', async () => {
  const api = Fastify()
  const gateway = await forwardTo(api)
  await api.close()
  const { statusCode, headers, body } = await gateway.inject('/api/logs')
  expect([statusCode, headers['retry-after'], headers['content-type']]).toEqual([
    503,
    '1',
    'application/problem+json; charset=utf-8',
  ])
  expect(JSON.parse(body)).toMatchObject({ code: 'unavailable' })
  expect(body).not.toContain('127.0.0.1')
})
