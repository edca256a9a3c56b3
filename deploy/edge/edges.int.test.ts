import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Agent, request } from 'undici'
import { WebSocket, WebSocketServer } from 'ws'
import { kib, mib } from '#core/units.ts'
import { useTestBench } from '#proxy/test/gateway.fixture.ts'
import { listenLocally } from '#tools/process/listen.ts'
import { examples, startEdge } from './edge.fixture.ts'

const maxBodyBytes = 100 * mib
/** Address of the clients; the edges connect from 127.0.0.1. */
const clientAddress = '127.0.0.3'
const host = 'sallyport.example.com'

/** Headers of the requests that reached the provider. */
const received: IncomingHttpHeaders[] = []
const streams: ServerResponse[] = []

async function provide(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  received.push(incoming.headers)
  if (incoming.url === '/v1/chat/completions') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-redirect': '/login' })
    response.write('data: {"first":true}\n\n')
    return void streams.push(response)
  }
  let bytes = 0
  for await (const chunk of incoming) bytes += (chunk as Buffer).length
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ bytes }))
}
const sockets = new WebSocketServer({ noServer: true })
const provider = createServer(
  { maxHeaderSize: 128 * kib },
  (incoming, response) => void provide(incoming, response).catch(() => response.destroy()),
)
provider.on('upgrade', (incoming, socket, first) =>
  sockets.handleUpgrade(incoming, socket, first, (peer) => peer.on('message', (data) => peer.send(`echo ${data}`))),
)
/** A fake of the api process. */
const api = createServer(({ url, headers }, response) => {
  if (url !== '/api/logs/tail') return response.end(JSON.stringify({ url, headers }))
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  // As after a reconnect: what was missed comes at once, and is large enough to be compressed.
  response.write(`retry: 2000\n\ndata: ${'missed'.repeat(500)}\n\n`)
  streams.push(response)
})

const baseUrl = `http://127.0.0.1:${await listenLocally(provider)}`
const apiPort = await listenLocally(api)
const bench = await useTestBench()
const gateway = await bench.startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
const account = await bench.createTestAccount({ config: { baseUrl } })
// HTTP/2 clients get the same responses; HTTP/1.1 is used because the tests need upgrades and raw heads.
const agent = new Agent({
  allowH2: false,
  localAddress: clientAddress,
  connect: { rejectUnauthorized: false, servername: host },
})

afterAll(async () => {
  await agent.close()
  for (const server of [provider, api]) {
    server.close()
    server.closeAllConnections()
  }
})

describe.each(examples)('$name', (example) => {
  const { program } = example
  let edge: Awaited<ReturnType<typeof startEdge>>
  beforeAll(async () => {
    if (program) edge = await startEdge(example, { proxy: gateway.port, api: apiPort })
  })
  afterAll(() => edge?.stop())
  beforeEach(({ skip }) => skip(!program, 'it is not installed'))

  const send = (path: string, options: Partial<Parameters<typeof request>[1]> = {}) =>
    request(`https://127.0.0.1:${edge.port}${path}`, {
      ...options,
      dispatcher: agent,
      headers: { host, ...account.headers, ...(options?.headers as object) },
    })
  const post = (path: string, body: Buffer | string, headers = {}) =>
    send(path, { method: 'POST', body, headers: { 'content-type': 'application/octet-stream', ...headers } })

  test('the screens and their API are of the api, with the address of the client', async () => {
    for (const url of ['/', '/api/proxy/config', '/api/keys?a=%2F']) {
      const { body } = await send(url, { headers: { 'x-forwarded-for': '192.0.2.1' } })
      expect(await body.json()).toMatchObject({
        url,
        headers: { host, 'x-forwarded-for': clientAddress, 'x-forwarded-proto': 'https' },
      })
    }
  })

  test('an event of a stream arrives before the next one is sent', async () => {
    const { body, statusCode } = await send('/api/proxy/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'gpt-4o-mini', stream: true, messages: [] }),
      headers: { 'content-type': 'application/json' },
    })
    expect(statusCode).toBe(200)
    const chunks = body.iterator()
    const read = async () => String((await chunks.next()).value)
    expect(await read()).toContain('first')
    streams.at(-1)!.write('data: {"second":true}\n\n')
    // Caddy ends a response as if it were complete when its source fails, and only its log says so.
    expect(await read(), edge.lastWords()).toContain('second')
    streams.at(-1)!.end()
    expect((await chunks.next()).done).toBe(true)
  })

  test('the live tail arrives event by event, even if the client accepts compression', async () => {
    const { body } = await send('/api/logs/tail', { headers: { 'accept-encoding': 'gzip, zstd' } })
    let text = ''
    for await (const chunk of body) {
      text += String(chunk)
      if (text.includes('second')) break
      if (text.endsWith('missed\n\n')) streams.at(-1)!.write('data: second\n\n')
    }
    expect(text).toContain('data: second')
  })

  test('messages of a WebSocket go both ways', async () => {
    const client = new WebSocket(`wss://127.0.0.1:${edge.port}/api/proxy/v1/realtime?model=gpt-realtime`, {
      headers: { ...account.headers, host },
      agent: new HttpsAgent({ servername: host, rejectUnauthorized: false }),
    })
    await once(client, 'open')
    client.send('hello')
    const [message] = await once(client, 'message')
    expect(String(message)).toBe('echo hello')
    client.close()
    await once(client, 'close')
  })

  test('a body of the largest size passes, and one byte more is rejected by the gateway', async () => {
    const largest = await post('/api/proxy/v1/files', Buffer.alloc(maxBodyBytes))
    expect(await largest.body.json()).toEqual({ bytes: maxBodyBytes })
    const tooLarge = await post('/api/proxy/v1/files', Buffer.alloc(maxBodyBytes + 1))
    expect(tooLarge.statusCode).toBe(413)
    expect(await tooLarge.body.json()).toHaveProperty('error.code')
  })

  test('60 KiB of headers pass, names with an underscore too', async () => {
    const large = 'x'.repeat(60 * kib)
    const { statusCode } = await post('/api/proxy/v1/files', '', { 'x-large': large, my_header: 'here' })
    expect(statusCode).toBe(200)
    expect(received.at(-1)).toMatchObject({ 'x-large': large, my_header: 'here' })
  })

  test.skipIf(example.name === 'nginx')('a proxy that is too busy for its health checks stays in use', async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500)
    const { body } = await post('/api/proxy/v1/files', 'small')
    expect(await body.text(), edge.lastWords()).toBe('{"bytes":5}')
    expect(edge.lastWords()).not.toContain(`"host":"127.0.0.1:${gateway.port}"`)
  })

  test('the log has the address of the client, not the one that it claims', async () => {
    const claimed = { 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.1', forwarded: 'for=192.0.2.1' }
    const ids: string[] = []
    // More requests than proxies, so that each one gets a turn, including the unavailable one.
    for (let turn = 0; turn < 4; turn += 1) {
      const { headers, body } = await post('/api/proxy/v1/files', 'small', claimed)
      expect(await body.json()).toEqual({ bytes: 5 })
      ids.push(String(headers['x-request-id']))
    }
    for (const id of ids) expect(await bench.events.of(id)).toMatchObject({ clientAddress })
  })
})
