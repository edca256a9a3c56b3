import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { mib, minute } from '#core/units.ts'
import { createHttpServer, type HttpServerOptions } from './http-server.ts'

const createApp = (options?: HttpServerOptions) =>
  createHttpServer({ trustedProxies: [] }, pino({ level: 'silent' }), options)
const listen = async (app: ReturnType<typeof createApp>) =>
  Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)

test('with too many connections, idle ones end, and neither the newest nor those with a request', async () => {
  const app = createApp({ maxConnections: 4 })
  const body = new PassThrough()
  app.get('/stream', (_request, reply) => reply.send(body))
  app.get('/', () => 'ok')
  const port = await listen(app)
  const open = async (sent = '') => {
    const connected = once(app.server, 'connection')
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    await connected
    if (sent) socket.write(`GET ${sent} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return socket
  }
  const streaming = await open('/stream')
  body.write('first')
  await once(streaming, 'data')
  const kept = await open('/')
  await once(kept, 'data')
  const silent = [await open(), await open()]

  const ended = [kept, silent[0]!].map((socket) => once(socket.resume(), 'close'))
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('ok')
  await Promise.all(ended)
  body.end('last')
  expect(String(await once(streaming, 'data'))).toContain('last')
  streaming.destroy()
  await app.close()
})

test('a connection ends when its client takes nothing, but not while it waits for a response', async () => {
  const app = createApp({ unreadTimeoutMs: 100 })
  const response = Promise.withResolvers<string>()
  app.get('/late', () => response.promise)
  app.get('/large', () => Buffer.alloc(32 * mib))
  const port = await listen(app)
  const waiting = connect(port, '127.0.0.1')
  await once(app.server, 'connection')
  waiting.write('GET /late HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const unread = connect(port, '127.0.0.1').pause()
  unread.on('error', () => undefined)
  await once(app.server, 'connection')
  unread.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(() => app.openConnections.count).toBe(1)
  response.resolve('still there')
  expect(await text(waiting)).toContain('still there')
  unread.destroy()
  await app.close()
})

/** @returns also the server's side of a connection, of which it has read `sent` */
async function openConnection(app: ReturnType<typeof createApp>, sent: string) {
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.all('/', () => 'ok')
  const open = connect(await listen(app), '127.0.0.1')
  const [accepted]: Socket[] = await once(app.server, 'connection')
  open.write(sent)
  await expect.poll(() => accepted!.bytesRead).toBeGreaterThan(0)
  // Now, timers come before what arrives next is read.
  await nextTurn()
  return { open, accepted: accepted! }
}

/** Node's report of a request that did not arrive in time. After a suspension, it comes before what arrived is read. */
const reportLate = (app: ReturnType<typeof createApp>, accepted: Socket) =>
  app.server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), accepted)

const [beginning, restOfHead] = ['POST / HTTP/1.1\r\nHost: ', 'localhost\r\nContent-Length: 5\r\n\r\nhe']

test.each([
  ['but for its beginning', beginning, `${restOfHead}llo`],
  ['but for its body', beginning + restOfHead, 'llo'],
])('a request that arrived while the process was suspended is in time: %s', async (_what, before, rest) => {
  const app = createApp()
  const { open, accepted } = await openConnection(app, before)
  open.write(rest)
  reportLate(app, accepted)
  expect(String(await once(open, 'data'))).toContain('HTTP/1.1 200 OK')
  open.destroy()
  await app.close()
})

test('so is a handshake of a WebSocket', async () => {
  const app = createApp()
  app.server.on('upgrade', (_request, socket) => setImmediate(() => socket.end('upgraded')))
  const { open, accepted } = await openConnection(app, 'GET / HTTP/1.1\r\nHost: ')
  open.write('localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  reportLate(app, accepted)
  expect(await text(open)).toBe('upgraded')
  await app.close()
})

test('the body of a request whose head came just in time is waited for as long as that of others, not forever', async () => {
  const app = createApp({ headersTimeoutMs: 200, requestTimeoutMs: 200 })
  const { open } = await openConnection(app, beginning)
  open.write(restOfHead)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  expect(String(await once(open, 'data'))).toContain('HTTP/1.1 408 Request Timeout')
  open.destroy()
  await app.close()
})

test('the next request on a connection that was idle is in time, too', async () => {
  const app = createApp()
  const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const { open, accepted } = await openConnection(app, request)
  await once(open, 'data')
  await nextTurn()
  open.write(request)
  app.server.emit('timeout', accepted)
  expect(String(await once(open, 'data'))).toContain('HTTP/1.1 200 OK')
  const ended = once(open.resume(), 'close')
  app.server.emit('timeout', accepted)
  await ended
  await app.close()
})

test('clients are probed, because one that is gone without a word sends no end', async () => {
  const probes = vi.spyOn(Socket.prototype, 'setKeepAlive')
  const app = createApp()
  const open = connect(await listen(app), '127.0.0.1')
  await once(app.server, 'connection')
  expect(probes.mock.calls).toEqual([[true, minute]])
  probes.mockRestore()
  open.destroy()
  await app.close()
})

test('the control plane ignores all upgrades', async () => {
  const app = createApp()
  app.get('/healthz', () => 'ok')
  const port = await listen(app)
  for (const protocol of ['h2c', 'websocket']) {
    const open = connect(port, '127.0.0.1')
    open.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`)
    expect(await text(open)).toContain('HTTP/1.1 200 OK')
  }
  await app.close()
})

test('row 75: hundreds of requests of a client delay those of others by a few', async () => {
  const app = createHttpServer({ trustedProxies: ['127.0.0.1'] }, pino({ level: 'silent' }))
  app.get('/healthz', async () => 'ok')
  let responses = 0
  const send = async (address: string) => {
    await app.inject({ url: '/healthz', headers: { 'x-forwarded-for': address } })
    responses += 1
  }
  const greedy = Array.from({ length: 300 }, () => send('192.0.2.1'))
  await send('192.0.2.2')
  expect(responses).toBeLessThan(60)
  await Promise.all(greedy)
})

test('row 75: a connection that never waits for its responses is closed, and no request of it is left', async () => {
  const app = createApp()
  const ended = Promise.withResolvers<string>()
  let [begun, closed] = [0, 0]
  app.get('/', (_request, reply) => {
    begun += 1
    reply.raw.once('close', () => (closed += 1))
    return ended.promise
  })
  const port = await listen(app)
  const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const few = connect(port, '127.0.0.1')
  few.write(request.repeat(9) + request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  await expect.poll(() => begun).toBe(10)
  // The connection of an ignored upgrade ends with its response, so only that request is handled.
  for (const first of ['', request.replace('\r\n\r\n', '\r\nUpgrade: h2c\r\n\r\n')]) {
    const many = connect(port, '127.0.0.1').on('error', () => undefined)
    many.write(first + request.repeat(1_000))
    await once(many, 'close')
  }
  ended.resolve('ok')
  expect((await text(few)).match(/200 OK/g)).toHaveLength(10)
  await expect.poll(() => closed).toBe(begun)
  expect(begun).toBeLessThan(50)
  await app.close()
})

test.each([
  ['400 Bad Request', 'Host: other'],
  ['417 Expectation Failed', 'Expect: a-miracle'],
])('a request that arrives with one whose %s closes the connection is not handled', async (status, header) => {
  const app = createApp()
  const handled = vi.fn(() => 'ok')
  app.get('/', handled)
  const open = connect(await listen(app), '127.0.0.1')
  const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
  open.write(request.replace('\r\n\r\n', `\r\n${header}\r\n\r\n`) + request)
  expect(await text(open)).toContain(status)
  expect(handled).not.toHaveBeenCalled()
  await app.close()
})
