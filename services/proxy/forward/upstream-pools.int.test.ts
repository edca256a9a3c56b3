import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setDefaultCACertificates } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { request, upgrade } from 'undici'
import { listenLocally } from '#tools/process/listen.ts'
import { createAuthority, createServerCertificate } from '#tools/stack/certificates.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { jsonResponse, startRawUpstream } from '../test/raw-upstream.fixture.ts'
import { UpstreamPools } from './upstream-pools.ts'

const folder = join(temporaryFolder(afterAll), 'certificates')
const authority = await createAuthority(folder)
const files = await createServerCertificate(folder, authority)
setDefaultCACertificates([readFileSync(authority.cert, 'utf8')])

const pem = { key: readFileSync(files.key), cert: readFileSync(files.cert) }
const provider = createSecureServer({ ...pem, allowHTTP1: true }, ({ httpVersion }, response) =>
  response.end(httpVersion),
)
provider.on('upgrade', (_request, socket: Socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  socket.pipe(socket)
})
const egress = createServer()
const tunnels: Socket[] = []
egress.on('connect', ({ url }, client: Socket) => {
  const target = connect(Number(new URL(`http://${url}`).port), '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    client.pipe(target).pipe(client)
  })
  tunnels.push(client, target)
  for (const socket of [client, target]) socket.on('error', () => undefined)
})
const providerUrl = `https://localhost:${await listenLocally(provider)}`
const egressUrl = `http://127.0.0.1:${await listenLocally(egress)}`
afterAll(() => {
  for (const server of [provider, egress]) server.close()
})

const open = (proxyUrl?: string) =>
  new UpstreamPools({
    isAllowed: () => true,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    egressProxyOf: () => proxyUrl,
  })

/** @returns the HTTP version in which a provider that prefers HTTP/2 was reached */
async function versionOf(pools: UpstreamPools): Promise<string> {
  const dispatcher = pools.get('an account', providerUrl)
  return (await request(providerUrl, { dispatcher })).body.text()
}

test('a provider is reached over HTTP/1.1, which WebSockets need', async () => {
  const pools = open()
  expect(await versionOf(pools)).toBe('1.1')
  await pools.close()
})

test('connections through an egress proxy are counted while they are open', async () => {
  const pools = open(egressUrl)
  expect(await versionOf(pools)).toBe('1.1')
  expect(pools.connections).toBe(1)
  const closed = once(tunnels[0]!, 'close')
  for (const tunnel of tunnels) tunnel.destroy()
  await closed
  await expect.poll(() => pools.connections).toBe(0)
  await pools.close()
})

test.each([
  ['directly', undefined],
  ['through an egress proxy', egressUrl],
])('a WebSocket to a provider that prefers HTTP/2 opens over TLS, %s', async (_how, proxyUrl) => {
  const pools = open(proxyUrl)
  const dispatcher = pools.get('an account', providerUrl)
  const { socket } = await upgrade(providerUrl, { dispatcher, protocol: 'websocket' })
  socket.write('a frame')
  expect(String((await once(socket, 'data'))[0])).toBe('a frame')
  socket.destroy()
  await pools.close()
})

const interim = (...statuses: string[]) => statuses.map((status) => `HTTP/1.1 ${status}\r\nlink: x\r\n\r\n`).join('')

test.each([
  ['directly', undefined],
  ['through an egress proxy', egressUrl],
])('interim responses that nobody asked for change nothing, %s', async (_how, proxyUrl) => {
  const upstream = await startRawUpstream((socket) =>
    socket.write(interim('100 Continue', '103 Early Hints', '100 Continue') + jsonResponse()),
  )
  const pools = open(proxyUrl)
  const dispatcher = pools.get('an account', upstream.origin)
  for (let nth = 0; nth < 2; nth += 1) {
    const { statusCode, body } = await request(upstream.origin, { dispatcher })
    expect([statusCode, await body.json()]).toEqual([200, { ok: true }])
  }
  await pools.close()
  await upstream.stop()
})
