import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { onTestFinished, expect, test } from 'vitest'
import { createHttpServer } from '#core/http/http-server.ts'
import { FairQueue } from '#core/limits/fair-queue.ts'
import { SharedLimit } from '#core/limits/shared-limit.ts'
import { mib } from '#core/units.ts'
import { fakeSession } from './session.fixture.ts'
import { takeTurns } from './turns.ts'

/** A server that does one thing at a time. Requests of `/slow` end with `query`. */
async function startServer() {
  const limit = new SharedLimit({ account: 9, process: 99 })
  const query = Promise.withResolvers<string>()
  const seen = { started: 0, closed: 0 }
  const app = createHttpServer({ trustedProxies: [] }, pino({ level: 'silent' }))
  app.addHook('onRequest', async (_request, reply) => void reply.raw.once('close', () => (seen.closed += 1)))
  await app.register(fakeSession)
  await app.register(takeTurns, { turns: new FairQueue({ limit, perAccount: 1, atOnce: 1 }) })
  app.get('/slow', () => {
    seen.started += 1
    return query.promise
  })
  app.route({ method: ['GET', 'POST'], url: '/quick', handler: async () => 'read' })
  app.get('/large', async () => ({ text: (await query.promise).repeat(4 * mib) }))
  app.get('/sent', async (_request, reply) => reply.send({ text: (await query.promise).repeat(4 * mib) }))
  app.post('/change', async () => 'changed')
  app.route({ method: ['GET', 'POST'], url: '/broken', handler: async () => Promise.reject(new Error('broken')) })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  onTestFinished(() => app.close())
  const send = (path = '/slow', head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n`) => {
    const client = connect(Number(port), '127.0.0.1')
    client.write(`${head}\r\n`)
    return client
  }
  return { app, limit, query, seen, send }
}

test('the requests of clients that leave end with their queries, and those that still wait are not started', async () => {
  const { app, limit, query, seen, send } = await startServer()
  const clients = [send(), send(), send()]
  await expect.poll(() => limit.used).toBe(3)
  for (const client of clients) client.destroy()
  await expect.poll(() => seen.closed).toBe(3)
  query.resolve('read')
  await expect.poll(() => limit.used).toBe(0)
  expect(seen.started).toBe(1)
  expect((await app.inject('/slow')).body).toBe('read')
})

test.each(['/large', '/sent'])(
  'the turn of a client that does not read its response ends with the query',
  async (path) => {
    const { app, limit, query, send } = await startServer()
    const client = send(path).pause()
    await expect.poll(() => limit.used).toBe(1)
    query.resolve('read')
    await expect.poll(() => limit.used).toBe(0)
    expect((await app.inject('/quick')).body).toBe('read')
    client.destroy()
  },
)

test('a slow body takes no turn', async () => {
  const { app, limit, send } = await startServer()
  const head = 'POST /change HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n'
  const client = send('/change', head)
  await expect.poll(() => app.openConnections.count).toBe(1)
  expect((await app.inject('/quick')).body).toBe('read')
  client.write('{}')
  expect(String(await once(client, 'data'))).toMatch(/changed$/)
  expect(limit.used).toBe(0)
  client.destroy()
})

test.each(['GET', 'HEAD', 'POST'] as const)(
  '%s requests wait for their turn, and failed ones end it',
  async (method) => {
    const { app, limit, query, send } = await startServer()
    send()
    await expect.poll(() => limit.used).toBe(1)
    const waiting = [app.inject({ method, url: '/broken' }), app.inject({ method, url: '/quick' })]
    await expect.poll(() => limit.used).toBe(3)
    query.resolve('read')
    const responses = await Promise.all(waiting)
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([500, 200])
    await expect.poll(() => limit.used).toBe(0)
  },
)
