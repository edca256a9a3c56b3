import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import Fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpServer } from '#core/http/http-server.ts'
import { kib, mib } from '#core/units.ts'
import { addApiFallback } from './api-fallback.ts'
import { head, RawConnection } from './test/raw-http.fixture.ts'

const createServer = () => createHttpServer({ trustedProxies: [] }, pino({ level: 'silent' }))

async function forwardTo(api: FastifyInstance) {
  const gateway = createServer()
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

test('the body of a client that waits for 100 Continue arrives', async () => {
  const api = Fastify().post('/api/photo', ({ body }) => body)
  const gateway = await forwardTo(api)
  const port = Number(new URL(await gateway.listen({ port: 0, host: '127.0.0.1' })).port)
  const headers = { expect: '100-continue', 'content-type': 'application/json', 'content-length': '2' }
  const outgoing = request({ port, method: 'POST', path: '/api/photo', headers })
  outgoing.once('continue', () => outgoing.end('{}')).flushHeaders()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  await api.close()
  expect([response.statusCode, await text(response)]).toEqual([200, '{}'])
})

test.each([
  ['too large for the api', 413, 'application/json'],
  ['too large for the gateway', 413, 'text/plain'],
  ['of no type', 415, 'none'],
])(
  'an upload that is %s has its error, even if the client reads nothing before it has sent everything',
  async (_what, status, type) => {
    const api = createServer()
    api.put('/api/photo', { bodyLimit: kib }, () => 'stored')
    const gateway = await forwardTo(api)
    const connection = new RawConnection(Number(new URL(await gateway.listen({ port: 0, host: '127.0.0.1' })).port))
    connection.send(head('PUT /api/photo HTTP/1.1', 'Host: x', `Content-Type: ${type}`, `Content-Length: ${32 * mib}`))
    connection.send(Buffer.alloc(32 * mib, ' '))
    await connection.until(() => connection.socket.writableLength === 0, 'the end of the upload')
    await connection.responses(1)
    connection.close()
    await api.close()
    expect(connection.statuses).toEqual([status])
  },
)
