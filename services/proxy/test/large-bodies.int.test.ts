import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { Readable } from 'node:stream'
import { request } from 'undici'
import { afterAll, expect, test } from 'vitest'
import { listenLocally } from '#tools/process/listen.ts'
import { mib } from '#core/units.ts'
import { useTestBench } from './gateway.fixture.ts'
import { authorizedHead, RawConnection } from './raw-http.fixture.ts'
import { chunk } from './raw-upstream.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()

/** An image as SDKs send it. */
const messagesWithImage = (bytes: number) => {
  const url = `data:image/png;base64,${'iVBORw0KGgo='.repeat(Math.ceil(bytes / 12))}`
  const content = [
    { type: 'text', text: 'What is "this"?' },
    { type: 'image_url', image_url: { url } },
  ]
  return [{ role: 'user', content }]
}

test.each([false, true])('model and cost of a request with a large image are known (stream: %s)', async (stream) => {
  const account = await bench.createTestAccount()
  const response = await account.chat(gateway, { messages: messagesWithImage(3 * mib), model: 'gpt-4o', stream })
  expect(response.status).toBe(200)
  expect((await response.text()).includes('"usage"')).toBe(!stream)
  const event = await bench.events.of(response)
  expect(event).toMatchObject({ model: 'gpt-4o', streamed: stream, costSource: 'exact' })
  expect(event.costNanoUsd).toBeGreaterThan(0)
})

test('a token that is restricted to models may send one, but not for another model', async () => {
  const account = await bench.createTestAccount({ token: { models: ['gpt-4o-mini'] } })
  const messages = messagesWithImage(3 * mib)
  expect((await account.chat(gateway, { messages })).status).toBe(200)
  expect((await account.chat(gateway, { messages, model: 'gpt-4o' })).status).toBe(403)
  const body = `{"model":"gpt-4o-mini","messages":${JSON.stringify(messages)},"MODEL":"gpt-4o"}`
  expect((await account.chat(gateway, {}, { body })).status).toBe(400)
})

test('the model of a body that is too large to buffer is known from the response alone: its end may name another one', async () => {
  const restricted = await bench.createTestAccount({ token: { models: ['gpt-4o-mini'] } })
  const messages = messagesWithImage(11 * mib)
  expect((await restricted.chat(gateway, { messages })).status).toBe(403)

  const account = await bench.createTestAccount()
  const response = await account.chat(gateway, { messages })
  expect(response.status).toBe(200)
  expect(await bench.events.of(response)).toMatchObject({ model: 'gpt-4o-mini', costSource: 'exact' })
})

/** Rejects every request without reading it. */
const hasty = createServer((_request, response) => response.writeHead(413, { 'content-length': 0 }).end())
const hastyPort = await listenLocally(hasty)
afterAll(() => {
  hasty.close()
  hasty.closeAllConnections()
})

/** Rejects every request and closes the connection at once, which resets it. */
const closing = createTcpServer((socket) =>
  socket
    .once('data', (head) => {
      const length = head.includes('/files') ? 'content-length: 2\r\n' : ''
      socket.write(`HTTP/1.1 413 No\r\nx-a: b\r\n${length}\r\n{}`, () => socket.destroy())
    })
    .on('error', () => socket.destroy()),
)
const closingPort = await listenLocally(closing)
afterAll(() => void closing.close())

test('an error response whose end is only the end of its connection is passed on, though nothing read the request', async () => {
  const account = await bench.createTestAccount({ config: { baseUrl: `http://127.0.0.1:${closingPort}` } })
  const response = await account.chat(gateway, { messages: [{ role: 'user', content: 'x'.repeat(mib) }] })
  expect([response.status, await response.text()]).toEqual([413, '{}'])
  expect(await bench.events.of(response)).toMatchObject({ status: 413, outcome: 'completed' })
})

test.each([32 * mib, undefined])(
  'the response of a provider that closes the connection in the middle of an upload is passed on (length: %s)',
  async (length) => {
    const account = await bench.createTestAccount({ config: { baseUrl: `http://127.0.0.1:${closingPort}` } })
    const response = await request(`${gateway.baseURL}/files`, {
      method: 'POST',
      headers: { ...account.headers, ...(length && { 'content-length': String(length) }) },
      body: Readable.from(Array.from({ length: 32 }, () => Buffer.alloc(mib, 'x'))),
    })
    expect([response.statusCode, response.headers['x-a'], await response.body.text()]).toEqual([413, 'b', '{}'])
    const event = await bench.events.of(response.headers['x-request-id']?.toString())
    expect(event).toMatchObject({ status: 413, outcome: 'completed' })
  },
)

test.each([
  [`Content-Length: ${32 * mib}`, (body: Buffer[]) => body],
  ['Transfer-Encoding: chunked', (body: Buffer[]) => [...body.map(chunk), chunk('')]],
])(
  'a client that reads nothing before it has sent everything gets a response that came earlier (%s)',
  async (framing, encode) => {
    const { token } = await bench.createTestAccount({ config: { baseUrl: `http://127.0.0.1:${hastyPort}` } })
    const body = Array.from({ length: 32 }, () => Buffer.alloc(mib, 'x'))
    const connection = new RawConnection(gateway.port)
    connection.send(authorizedHead('POST /api/proxy/v1/files', token.secret, framing))
    for (const part of encode(body)) connection.send(part)
    await connection.until(() => connection.socket.writableLength === 0, 'the end of the upload')
    await connection.send(authorizedHead('POST /api/proxy/v1/files', token.secret, 'Content-Length: 0')).responses(2)
    expect(connection.statuses).toEqual([413, 413])
    connection.close()
  },
)
