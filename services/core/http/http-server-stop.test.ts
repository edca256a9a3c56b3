import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { minute } from '#core/units.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { closeServer, createHttpServer } from './http-server.ts'

const createApp = () => createHttpServer({ trustedProxies: [] }, pino({ level: 'silent' }))
const listen = async (app: ReturnType<typeof createApp>) =>
  Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)

test('a server that stops still responds to requests on open connections, and rejects new connections', async () => {
  const app = createApp()
  app.get('/healthz', () => 'ok')
  const port = await listen(app)
  const open = connect(port, '127.0.0.1')
  await once(app.server, 'connection')

  const closed = app.close()
  await expect.poll(() => app.server.listening, { interval: 1 }).toBe(false)
  open.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const response = await text(open)
  expect(response).toContain('HTTP/1.1 200 OK')
  expect(response.toLowerCase()).toContain('connection: close')
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
  await closed
})

test('a server that stops still responds on connections that it had yet to accept', async () => {
  const app = createApp()
  app.get('/healthz', () => 'ok')
  const port = await listen(app)
  const clients = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'))
  for (const client of clients) client.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  // Until then, they have not connected.
  await new Promise(process.nextTick)
  const closed = app.close()
  for (const response of await Promise.all(clients.map(text))) expect(response).toContain('HTTP/1.1 200 OK')
  await closed
})

test('of requests that arrive together at a server that stops, only the one that gets a response is handled', async () => {
  const app = createApp()
  const handled = vi.fn(() => nextTurn('ok'))
  app.get('/count', handled)
  const open = connect(await listen(app), '127.0.0.1')
  await once(app.server, 'connection')
  const closed = app.close()
  await expect.poll(() => app.server.listening, { interval: 1 }).toBe(false)
  open.write('GET /count HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3))
  expect((await text(open)).split('200 OK')).toHaveLength(2)
  expect(handled).toHaveBeenCalledOnce()
  await closed
})

test('a keep-alive connection ends with the response that was under way', async () => {
  const app = createApp()
  const body = new PassThrough()
  app.get('/stream', (_request, reply) => reply.send(body))
  const open = connect(await listen(app), '127.0.0.1')
  let received = ''
  open.on('data', (chunk) => (received += String(chunk)))
  open.write('GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
  body.write('first')
  await expect.poll(() => received).toContain('first')

  const ends = vi.spyOn(app.server, 'closeIdleConnections')
  const closed = app.close()
  await expect.poll(() => ends.mock.calls.length).toBeGreaterThan(0)
  body.end('last')
  await expect.poll(() => open.readableEnded).toBe(true)
  expect(received).toContain('last')
  await closed
})

test('a connection that never sent a request does not hold up a stop', async () => {
  const app = createApp()
  const silent = connect(await listen(app), '127.0.0.1')
  await once(app.server, 'connection')
  await Promise.all([app.close(), once(silent, 'close')])
})

/** Connects to another process, which passes the connection on. */
async function connectBehind(app: ReturnType<typeof createApp>): Promise<Socket> {
  const path = join(temporaryFolder(), 'other')
  const other = createServer((socket) => {
    other.close()
    app.server.emit('connection', socket)
  })
  await once(other.listen(path), 'listening')
  return connect(path)
}

test('a stop waits for a response on a connection that another process passed on last', async () => {
  const app = createApp()
  const response = Promise.withResolvers<string>()
  const handled = vi.fn(() => response.promise)
  app.get('/', handled)
  const before = connect(await listen(app), '127.0.0.1')
  await once(app.server, 'connection')

  const ends = vi.spyOn(app.server, 'closeIdleConnections')
  const stopped = vi.fn()
  const closed = closeServer(app, minute, () => undefined).then(stopped)
  before.destroy()
  await expect.poll(() => app.openConnections.count, { interval: 1 }).toBe(0)
  const passed = await connectBehind(app)
  passed.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(() => ends.mock.calls.length).toBeGreaterThan(0)
  expect(handled).toHaveBeenCalledOnce()
  expect(stopped).not.toHaveBeenCalled()
  response.resolve('ok')
  expect(await text(passed)).toContain('200 OK')
  await closed
})

test('a connection that is passed on after all others were cut off is cut off, too', async () => {
  const app = createApp()
  app.get('/', () => new Promise(() => undefined))
  await listen(app)
  const cut = Promise.withResolvers<void>()
  const closed = closeServer(app, 0, cut.resolve)
  await cut.promise
  const passed = await connectBehind(app)
  passed.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await closed
  await expect.poll(() => passed.closed).toBe(true)
})
