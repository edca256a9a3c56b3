import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { errorOf, useTestBench } from './gateway.fixture.ts'
import { jsonResponse, okHead } from './raw-upstream.fixture.ts'

const key = 'sk-a-key-that-the-provider-echoes'
let sent: { encoding: string; body: Buffer }
const bench = await useTestBench()
const gateway = await bench.startGateway()
const { account, upstream } = await bench.createAccountWithUpstream(
  (socket, _nth, head) => {
    if (head.includes('/v1/models')) return void socket.write(jsonResponse())
    const { encoding, body } = sent
    socket.write(okHead('content-type: text/plain', `content-encoding: ${encoding}`, `content-length: ${body.length}`))
    // In pieces that split the key.
    for (let at = 0; at < body.length; at += 7) socket.write(body.subarray(at, at + 7))
  },
  { keys: [key] },
)

test('row 58: with the client address switched off, the log has neither the address nor credentials', async () => {
  const address = '203.0.113.77'
  const guest = await bench.createTestAccount({ config: { baseUrl: upstream.origin, logClientAddress: false } })
  const response = await guest.fetch(gateway, '/models', {
    headers: {
      'x-forwarded-for': address,
      forwarded: `for=${address}`,
      'cf-connecting-ip': address,
      'x-whatever': address,
      'x-auth': 'Basic eDp5',
      referer: 'https://app.example/page?code=1234',
    },
  })
  const event = await bench.events.of(response)
  expect(event.clientAddress).toBeNull()
  expect(JSON.stringify(event)).not.toContain(address)
  expect(event.requestHeaders).toMatchObject({ 'x-auth': '[redacted]', referer: 'https://app.example/page' })
})

describe('row 65: a key that the provider echoes in a compressed response is masked', () => {
  const text = `You sent ${key}, did you not? ${'And so on. '.repeat(1_000)}`
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
    ['gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))],
    ['Identity', (bytes) => bytes],
    [', identity', (bytes) => bytes],
  ])('%s', async (name, compress) => {
    sent = { encoding: name, body: compress(Buffer.from(text)) }
    const response = await account.fetch(gateway, '/anything', { headers: { 'accept-encoding': name } })
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(await response.text()).toBe(text.replace(key, '*'.repeat(key.length)))
    expect(upstream.heads.at(-1)).toContain('accept-encoding: identity')
  })

  test('an unknown encoding is 502, and not retried', async () => {
    const retrying = await bench.createTestAccount({
      config: { baseUrl: upstream.origin, retryAttempts: 3 },
      keys: [key],
    })
    for (const encoding of ['compress', 'gzip, x-own']) {
      sent = { encoding, body: Buffer.from(text) }
      const before = upstream.heads.length
      expect(await errorOf(await retrying.fetch(gateway, '/anything'))).toEqual([502, 'upstream_encoding'])
      expect(upstream.heads).toHaveLength(before + 1)
    }
  })
})
