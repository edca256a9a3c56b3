import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { errorOf, useTestBench } from './gateway.fixture.ts'
import { jsonResponse, okHead, type Respond } from './raw-upstream.fixture.ts'

/** Rows of threats.md about responses of the provider, and about its address. */
const bench = await useTestBench()
const gateway = await bench.startGateway()

/** An account whose provider responds with something hostile. */
const behind = bench.createAccountWithUpstream

test.concurrent('row 19: a gzip bomb is decompressed only as the client reads it, and not logged', async () => {
  const size = 128 * mib
  const bomb = gzipSync(Buffer.alloc(size))
  const headers = ['content-type: application/json', 'content-encoding: gzip', `content-length: ${bomb.length}`]
  const { account } = await behind(
    (socket) => {
      socket.write(okHead(...headers))
      socket.write(bomb)
    },
    { config: { logBodies: true, cacheSeconds: 60 } },
  )
  const before = process.memoryUsage().rss
  // Without the decompression of `fetch`.
  const outgoing = request(`${gateway.baseURL}/things`, { headers: account.headers }).end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  await setTimeout(1_000)
  expect(process.memoryUsage().rss - before).toBeLessThan((size * 3) / 4)
  let received = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) received += chunk.length
  expect(received).toBe(size)
  const event = await bench.events.of(incoming.headers['x-request-id']?.toString())
  expect(event.responseBytes).toBe(size)
  expect(event.responseBody?.length ?? 0).toBeLessThan(mib)
})

test.concurrent('repeated headers are no error: of those with a single value the first one counts', async () => {
  const twice = 'content-type: text/plain\r\nretry-after: 1\r\nretry-after: 2\r\nvary: a\r\nvary: b'
  const { account, upstream } = await behind((socket) => socket.write(jsonResponse('{}', twice)))
  const response = await account.fetch(gateway, '/things')
  expect([response.status, await response.text(), upstream.heads.length]).toEqual([200, '{}', 1])
  expect(response.headers.get('content-type')).toBe('text/plain')
  expect([response.headers.get('retry-after'), response.headers.get('vary')]).toEqual(['1', 'a, b'])
})

describe('row 20: invalid HTTP is 502', () => {
  const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
  const incomplete = new Set([
    'a body that is too short',
    'chunks that do not end',
    'half a status line',
    // As which a status below 100 counts, too.
    'an interim response',
    'status 000',
    'an empty response',
  ])
  test.concurrent.each([
    ['length and chunked', `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['two equal lengths', `${ok}content-length: 2\r\ncontent-length: 2\r\n\r\n{}`],
    ['two lengths', `${ok}content-length: 2\r\ncontent-length: 3\r\n\r\n{}x`],
    ['a body that is too short', `${ok}content-length: 20\r\n\r\n{}`],
    ['chunks that do not end', `${ok}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`],
    ['chunks of another size', `${ok}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['half a status line', 'HTTP/1.1 2'],
    ['an interim response', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['garbage', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['a header of 64 KB', `${ok}x-a: ${'a'.repeat(70_000)}\r\ncontent-length: 2\r\n\r\n{}`],
    ['status 999', 'HTTP/1.1 999 Nine\r\ncontent-length: 2\r\n\r\n{}'],
    ['status 600', 'HTTP/1.1 600 Six\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'],
    ['status 000', 'HTTP/1.1 000 Zero\r\ncontent-length: 2\r\n\r\n{}'],
    ['NUL in a header', `${ok}x-a: b\0c\r\ncontent-length: 2\r\n\r\n{}`],
    ['CR within a header', `${ok}etag: b\rset-cookie: c\r\ncontent-length: 2\r\n\r\n{}`],
    ['an empty response', ''],
    [
      'row 11: a change of protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhello',
    ],
  ])('%s', async (what, bytes) => {
    const { account, upstream } = await behind((socket) => socket.end(Buffer.from(bytes, 'latin1')), {
      config: { retryAttempts: 1 },
    })
    const response = await account.fetch(gateway, '/things')
    // Whatever has begun is the only attempt, even of GET.
    expect(upstream.heads).toHaveLength(bytes === '' ? 2 : 1)
    const code = incomplete.has(what) ? 'upstream_disconnected' : 'upstream_invalid'
    expect(await errorOf(response)).toEqual([502, code])
    expect(response.headers.get('set-cookie')).toBeNull()
    const event = await bench.events.of(response)
    expect(event).toMatchObject({ status: 502, outcome: 'upstream_failed' })
  })

  test('interim responses are dropped', async () => {
    const { account } = await behind((socket) =>
      socket.write(`HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${jsonResponse()}`),
    )
    const response = await account.fetch(gateway, '/things')
    expect([response.status, await response.json()]).toEqual([200, { ok: true }])
  })

  test.concurrent.each(['application/json', 'text/event-stream', 'audio/mpeg'])(
    'non-ASCII characters in a header of a %s response do not crash it',
    async (type) => {
      const bytes = jsonResponse('{}', 'etag: "grün 🌍"').replace('application/json', type)
      const { account } = await behind((socket) => socket.write(Buffer.from(bytes)))
      const response = await account.fetch(gateway, '/things')
      expect([200, 502]).toContain(response.status)
      expect((await bench.events.of(response)).status).toBe(response.status)
    },
  )
})

describe('row 21: a surplus response never reaches the next request', () => {
  const own = jsonResponse('{"whose":"own"}')
  const surplus = jsonResponse('{"whose":"another"}')
  test.each<[string, (socket: Socket) => unknown]>([
    ['together with the first', (socket) => socket.write(own + surplus)],
    ['a moment later', (socket) => socket.write(own, () => socket.write(surplus))],
    ['after the end of a short one', (socket) => socket.write(`${own}\r\n\r\nxx`)],
  ])('%s', async (_how, respondTwice) => {
    const { account, upstream } = await behind((socket, nth) => (nth === 0 ? respondTwice(socket) : socket.write(own)))
    expect(await (await account.fetch(gateway, '/first')).json()).toEqual({ whose: 'own' })
    for (let time = 0; time < 3; time += 1) {
      await setTimeout(30)
      expect(await (await account.fetch(gateway, '/next')).json()).toEqual({ whose: 'own' })
    }
    expect(upstream.heads).toHaveLength(4)
  })

  test('and accounts never share a connection', async () => {
    const { account, upstream } = await behind()
    const other = await bench.createTestAccount({ config: { baseUrl: upstream.origin } })
    for (const each of [account, other]) await (await each.fetch(gateway, '/a')).text()
    expect(upstream.sockets.size).toBe(2)
  })
})

test.concurrent('a rejected attempt ends soon after the next one began, however slowly the rest of it arrives', async () => {
  const { account, upstream } = await behind(
    (socket, nth) => {
      if (nth > 0) return socket.write(jsonResponse())
      socket.write(okHead('content-length: 60000').replace('200 OK', '503 No'))
      const dripping = setInterval(() => socket.write('x'), 100)
      socket.on('close', () => clearInterval(dripping))
    },
    { keys: ['sk-dripping', 'sk-backup'], config: { timeout: 3_000 } },
  )
  expect((await account.fetch(gateway, '/things')).status).toBe(200)
  await expect.poll(() => upstream.sockets.size).toBe(1)
})

test('rows 23 to 25: private addresses are rejected before anything is sent, in every spelling', async () => {
  const strict = await bench.startGateway({ env: { UPSTREAM_ALLOW_CIDRS: '' } })
  const target = await bench.startUpstream()
  const { port } = new URL(target.origin)
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0177.0.0.1',
    '0x7f.1',
    '１２７.０.０.１',
    'localhost',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '10.0.0.1',
    '100.64.0.1',
    '168.63.129.16',
    '169.254.169.254',
    '[fe80::1]',
    '[fd00::1]',
  ]
  await Promise.all(
    hosts.map(async (host) => {
      const account = await bench.createTestAccount({ config: { baseUrl: `http://${host}:${port}` } })
      const response = await account.fetch(strict, '/models')
      expect([host, ...(await errorOf(response))]).toEqual([host, 502, 'upstream_forbidden'])
    }),
  )
  expect([target.heads.length, target.sockets.size]).toEqual([0, 0])
  expect(await strict.metric('sallyport_proxy_in_flight')).toBe(0)
})

test.each([302, 307])('row 26: %i to a metadata address is passed on, not followed', async (status) => {
  const location = 'http://169.254.169.254/latest/meta-data/'
  const { account, upstream } = await behind((socket) =>
    socket.write(jsonResponse(undefined, `location: ${location}`).replace('200 OK', `${status} Moved`)),
  )
  const response = await account.fetch(gateway, '/things', { redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([status, location])
  expect(upstream.heads).toHaveLength(1)
})

describe('row 35: the key of the provider is never shown', () => {
  const key = 'sk-proj-very-secret-0123456789'
  test.concurrent.each<[string, Respond]>([
    [
      'in a small error',
      (socket) =>
        socket.write(jsonResponse(`{"error":{"message":"Incorrect API key: ${key}"}}`).replace('200 OK', '401 No')),
    ],
    [
      'in an error page',
      (socket) =>
        socket.write(
          jsonResponse(`<b>${key}</b>`).replace('200 OK', '500 No').replace('application/json', 'text/html'),
        ),
    ],
    [
      'in headers',
      (socket, _nth, head) => {
        const sent = `x-sent: ${/authorization: .*/.exec(head)?.[0]}`
        socket.write(jsonResponse(undefined, `etag: ${key}`, sent, `x-request-id: ${key}`))
      },
    ],
    ['in a response', (socket) => socket.write(jsonResponse(`{"headers":{"authorization":"Bearer ${key}"},"id":"ü"}`))],
    ['in a large response', (socket) => socket.write(jsonResponse(`{"x":"${'x'.repeat(mib)}","sent":"${key}"}`))],
    [
      'in a stream, cut in two',
      async (socket) => {
        const frame = `data: {"sent":"${key}"}\n\n`
        socket.write(okHead('content-type: text/event-stream', `content-length: ${frame.length}`) + frame.slice(0, 25))
        await setTimeout(50)
        socket.write(frame.slice(25))
      },
    ],
  ])('when it is echoed %s', async (_where, respond) => {
    const { account } = await behind(respond, { keys: [key], config: { logBodies: true } })
    const response = await account.fetch(gateway, '/things')
    const seen = JSON.stringify([...response.headers]) + (await response.text())
    const event = await bench.events.of(response)
    expect([seen.includes(key), JSON.stringify(event).includes(key)]).toEqual([false, false])
    expect(event.outcome).toBe('completed')
  })

  test.each([
    [
      'an error',
      jsonResponse(`{"error":{"message":"${key}","code":"${key}"}}`, `x-request-id: ${key}`).replace('200', '401'),
    ],
    ['something that is no HTTP', `${key}\r\n\r\n`],
    ['too many headers', `HTTP/1.1 200 OK\r\nx-key: ${key}${'x'.repeat(70_000)}\r\n\r\n`],
    ['an encoding', okHead(`content-encoding: ${key}`)],
    ['a change of protocol', `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ${key}\r\n\r\n`],
  ])(
    "nor, with a token, in the operator's log and the metrics, if the provider echoes it in %s",
    async (_what, bytes) => {
      const lines: string[] = []
      const loud = await bench.startGateway({ onLogLine: (line) => void lines.push(line) })
      const { account } = await behind((socket) => socket.end(bytes), { keys: [key] })
      const { secret } = account.token
      const headers = { 'x-other': secret, 'user-agent': secret }
      const response = await account.fetch(loud, `/things/${secret}?key=${secret}`, { headers })
      expect(response.ok).toBe(false)
      expect(await response.text()).not.toContain(key)
      await loud.stop()
      const seen = lines.join('') + (await loud.metrics())
      expect(lines).not.toEqual([])
      expect([seen.includes(key), seen.includes(secret)]).toEqual([false, false])
    },
  )

  test('nor is a token in any log', async () => {
    const { account } = await behind(undefined, { config: { logBodies: true } })
    const { secret } = account.token
    const names = ['x-api-key', 'api-key', 'x-auth-token', 'x-other']
    const headers = { cookie: `t=${secret}`, ...Object.fromEntries(names.map((name) => [name, secret])) }
    const response = await account.fetch(gateway, `/things?key=${secret}`, { headers })
    expect(JSON.stringify(await bench.events.of(response))).not.toContain(secret)
  })
})
