import { connect } from 'node:net'
import { pino } from 'pino'
import { onTestFinished, expect, test } from 'vitest'
import { createHttpServer } from '#core/http/http-server.ts'
import { FairQueue } from '#core/limits/fair-queue.ts'
import { SharedLimit } from '#core/limits/shared-limit.ts'
import { mib } from '#core/units.ts'
import { fairReads } from './fair-reads.ts'
import { fakeSession } from './session.fixture.ts'

/** A server that reads one thing at a time. Its reads of `/slow` end with `query`. */
async function startServer() {
  const limit = new SharedLimit({ account: 9, process: 99 })
  const query = Promise.withResolvers<string>()
  const seen = { started: 0, closed: 0 }
  const app = createHttpServer({ trustedProxies: [] }, pino({ level: 'silent' }))
  app.addHook('onRequest', async (_request, reply) => void reply.raw.once('close', () => (seen.closed += 1)))
  await app.register(fakeSession)
  await app.register(fairReads, { reads: new FairQueue({ limit, perAccount: 1, atOnce: 1 }) })
  app.get('/slow', () => {
    seen.started += 1
    return query.promise
  })
  app.get('/quick', async () => 'read')
  app.get('/large', async () => ({ text: (await query.promise).repeat(4 * mib) }))
  app.post('/change', async () => 'changed')
  app.get('/broken', () => {
    throw new Error('broken')
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  onTestFinished(() => app.close())
  const send = (path = '/slow') => {
    const client = connect(Number(port), '127.0.0.1')
    client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return client
  }
  return { app, limit, query, seen, send }
}

test('the reads of clients that leave end with their queries, and those that still wait are not started', async () => {
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

test('the turn of a client that does not read its response ends with the query', async () => {
  const { app, limit, query, send } = await startServer()
  const client = send('/large').pause()
  await expect.poll(() => limit.used).toBe(1)
  query.resolve('read')
  await expect.poll(() => limit.used).toBe(0)
  expect((await app.inject('/quick')).body).toBe('read')
  client.destroy()
})

test('only reads wait, and their results are JSON', async () => {
  const { app, query, send } = await startServer()
  send()
  expect((await app.inject({ method: 'POST', url: '/change' })).body).toBe('changed')
  query.resolve('read')
  const { headers, body } = await app.inject('/large')
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(JSON.parse(body).text).toHaveLength(16 * mib)
})

test.each(['GET', 'HEAD'] as const)('%s requests wait for their turn, and failed ones end it too', async (method) => {
  const { app, limit, query, send } = await startServer()
  send()
  await expect.poll(() => limit.used).toBe(1)
  const waiting = [app.inject({ method, url: '/broken' }), app.inject({ method, url: '/quick' })]
  await expect.poll(() => limit.used).toBe(3)
  query.resolve('read')
  const responses = await Promise.all(waiting)
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([500, 200])
  await expect.poll(() => limit.used).toBe(0)
})
