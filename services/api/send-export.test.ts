import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { createHttpServer } from '#core/http/http-server.ts'
import { leaveBeforeHandler } from '#core/http/left-request.fixture.ts'
import { SharedLimit } from '#core/limits/shared-limit.ts'
import { fakeSession } from './plugins/session.fixture.ts'
import { sendExport } from './send-export.ts'

/** A server whose only export never ends. */
async function startServer() {
  const limit = new SharedLimit({ account: 9, process: 99 })
  const take = vi.spyOn(limit, 'take')
  const seen = { hasClosed: false }
  async function* endless() {
    try {
      for (;;) yield await setImmediate('part')
    } finally {
      seen.hasClosed = true
    }
  }
  const app = createHttpServer({ trustedProxies: [] }, pino({ level: 'silent' }))
  await app.register(fakeSession)
  app.get('/export', async (request, reply) => {
    sendExport(
      request,
      reply,
      { limit, endWithCredential: () => () => undefined },
      { name: 'a.csv', mediaType: 'text/csv', parts: endless() },
    )
    return reply
  })
  return { app, limit, take, seen }
}

test('an export ends when its client leaves', async () => {
  const { app, limit, seen } = await startServer()
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const client = connect(Number(port), '127.0.0.1')
  client.write('GET /export HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const received = await new Promise((resolve) => client.once('data', resolve))
  expect(String(received)).toContain('content-disposition: attachment; filename="a.csv"')
  expect(limit.used).toBe(1)
  client.destroy()
  await expect.poll(() => seen.hasClosed && limit.used).toBe(0)
  await app.close()
})

test('an export ends at once if its client left before', async () => {
  const { app, limit, take } = await startServer()
  await leaveBeforeHandler(app)('/export')
  await expect.poll(() => take.mock.calls.length).toBe(1)
  await expect.poll(() => limit.used).toBe(0)
  await app.close()
})

test('an export ends with its headers if its client asks for them only', async () => {
  const { app, limit, seen } = await startServer()
  const { statusCode, headers } = await app.inject({ method: 'HEAD', url: '/export' })
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/csv')
  await expect.poll(() => seen.hasClosed && limit.used).toBe(0)
})
