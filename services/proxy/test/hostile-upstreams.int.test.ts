import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import { jsonAnswer, type RawUpstream, startRawUpstream } from './raw-upstream.fixture.ts'
import type { TestAccount, TestAccountOptions } from './test-account.fixture.ts'

/** Rows of threats.md that concern what comes from the provider, or from what was given as its address. */
let bench: TestBench
let gateway: Gateway
const upstreams: RawUpstream[] = []
beforeAll(async () => {
  bench = await openTestBench()
  gateway = await bench.startGateway()
})
afterAll(async () => {
  await Promise.all(upstreams.map((upstream) => upstream.stop()))
  await bench.stop()
})

async function behind(
  answer: (socket: Socket, nth: number, head: string) => void,
  options: TestAccountOptions = {},
): Promise<{ account: TestAccount; upstream: RawUpstream }> {
  const upstream = await startRawUpstream(answer)
  upstreams.push(upstream)
  const config = { baseUrl: upstream.origin, timeout: 1_500, ...options.config }
  return { upstream, account: await bench.createTestAccount({ ...options, config }) }
}
const codeOf = async (answer: Response) => ((await answer.json()) as { error: { code: string } }).error.code

test.concurrent('row 19: a gzip bomb is unpacked as far as the client reads it, and not kept', async () => {
  const size = 200 * mib
  const bomb = gzipSync(Buffer.alloc(size))
  const { account } = await behind(
    (socket) => {
      const headers = ['content-type: application/json', 'content-encoding: gzip', `content-length: ${bomb.length}`]
      socket.write(`HTTP/1.1 200 OK\r\n${headers.join('\r\n')}\r\n\r\n`)
      socket.write(bomb)
    },
    { config: { logBodies: true, cacheSeconds: 60 } },
  )
  const before = process.memoryUsage().rss
  const outgoing = request(`${gateway.baseURL}/things`, { headers: account.headers }).end()
  const [incoming] = await once(outgoing, 'response')
  await setTimeout(1_000)
  expect(process.memoryUsage().rss - before).toBeLessThan(size / 2)
  let received = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) received += chunk.length
  expect(received).toBe(size)
  const event = await bench.events.of(incoming.headers['x-request-id'])
  expect(event.responseBytes).toBe(size)
  expect(event.responseBody?.length ?? 0).toBeLessThan(mib)
})

test.concurrent('headers that come twice are no error: what means one thing keeps its first value', async () => {
  const twice = 'content-type: text/plain\r\nretry-after: 1\r\nretry-after: 2\r\nvary: a\r\nvary: b'
  const { account, upstream } = await behind((socket) => socket.write(jsonAnswer('{}', twice)))
  const answer = await account.fetch(gateway, '/things')
  expect([answer.status, await answer.text(), upstream.heads.length]).toEqual([200, '{}', 1])
  expect(answer.headers.get('content-type')).toBe('text/plain')
  expect([answer.headers.get('retry-after'), answer.headers.get('vary')]).toEqual(['1', 'a, b'])
})

test.concurrent('row 19: a thousand encodings go by, or are 502', async () => {
  const encodings = Array.from({ length: 1_000 }, () => 'gzip').join(', ')
  const { account } = await behind((socket) => socket.write(jsonAnswer(undefined, `content-encoding: ${encodings}`)))
  const outgoing = request(`${gateway.baseURL}/things`, { headers: account.headers }).end()
  const [incoming] = await once(outgoing, 'response')
  expect([200, 502]).toContain(incoming.statusCode)
  incoming.resume()
})

describe('row 20: what is not HTTP is 502', () => {
  const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
  test.concurrent.each([
    ['length and chunked', `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['two lengths', `${ok}content-length: 2\r\ncontent-length: 3\r\n\r\n{}x`],
    ['a body that is too short', `${ok}content-length: 20\r\n\r\n{}`],
    ['chunks that do not end', `${ok}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`],
    ['chunks of another size', `${ok}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['garbage', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['a header of 64 KB', `${ok}x-a: ${'a'.repeat(70_000)}\r\ncontent-length: 2\r\n\r\n{}`],
    ['status 999', 'HTTP/1.1 999 Nine\r\ncontent-length: 2\r\n\r\n{}'],
    ['status 600', 'HTTP/1.1 600 Six\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'],
    ['status 000', 'HTTP/1.1 000 Zero\r\ncontent-length: 2\r\n\r\n{}'],
    ['NUL in a header', `${ok}x-a: b\0c\r\ncontent-length: 2\r\n\r\n{}`],
    ['CR in a header that goes on', `${ok}etag: b\rset-cookie: c\r\ncontent-length: 2\r\n\r\n{}`],
    ['nothing', ''],
    [
      'row 11: a change of protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhello',
    ],
  ])('%s', async (_what, bytes) => {
    const { account } = await behind((socket) => socket.end(Buffer.from(bytes, 'latin1')))
    const answer = await account.fetch(gateway, '/things')
    expect([answer.status, await codeOf(answer)]).toEqual([
      502,
      expect.stringMatching(/^upstream_(?:invalid|unreachable)$/),
    ])
    expect(answer.headers.get('set-cookie')).toBeNull()
    const event = await bench.events.of(answer.headers.get('x-request-id'))
    expect(event).toMatchObject({ status: 502, outcome: 'upstream_failed' })
  })

  test('interim answers are swallowed', async () => {
    const { account } = await behind((socket) =>
      socket.write(`HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${jsonAnswer()}`),
    )
    const answer = await account.fetch(gateway, '/things')
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }])
  })

  test.concurrent.each(['application/json', 'text/event-stream', 'audio/mpeg'])(
    'letters beyond ASCII in a header of a %s answer are no crash',
    async (type) => {
      const bytes = jsonAnswer('{}', 'etag: "grün 🌍"').replace('application/json', type)
      const { account } = await behind((socket) => socket.write(Buffer.from(bytes)))
      const answer = await account.fetch(gateway, '/things')
      expect([200, 502]).toContain(answer.status)
      expect((await bench.events.of(answer.headers.get('x-request-id'))).status).toBe(answer.status)
    },
  )
})

describe('row 21: an answer too many never reaches the next request', () => {
  const secret = jsonAnswer('{"whose":"somebody else"}')
  test.each([
    ['together with the first', (socket: Socket) => socket.write(jsonAnswer('{"whose":"mine"}') + secret)],
    [
      'a moment later',
      (socket: Socket) => {
        socket.write(jsonAnswer('{"whose":"mine"}'))
        setImmediate(() => socket.write(secret))
      },
    ],
    ['behind the end of a short one', (socket: Socket) => socket.write(jsonAnswer('{"whose":"mine"}') + '\r\n\r\nxx')],
  ])('%s', async (_how, answerTwice) => {
    const { account, upstream } = await behind((socket, nth) =>
      nth === 0 ? answerTwice(socket) : socket.write(jsonAnswer('{"whose":"mine"}')),
    )
    expect(await (await account.fetch(gateway, '/first')).json()).toEqual({ whose: 'mine' })
    for (let time = 0; time < 3; time += 1) {
      await setTimeout(30)
      expect(await (await account.fetch(gateway, '/next')).json()).toEqual({ whose: 'mine' })
    }
    expect(upstream.heads).toHaveLength(4)
  })

  test('and accounts never share a connection', async () => {
    const { account, upstream } = await behind((socket) => socket.write(jsonAnswer()))
    const other = await bench.createTestAccount({ config: { baseUrl: upstream.origin } })
    await (await account.fetch(gateway, '/a')).text()
    await (await other.fetch(gateway, '/b')).text()
    expect(upstream.sockets.size).toBe(2)
  })
})

describe('rows 23 to 25: addresses that are not for everybody', () => {
  test('are refused before anything is sent, however they are written', async () => {
    const strict = await bench.startGateway({ env: { UPSTREAM_ALLOW_CIDRS: '' } })
    const target = await startRawUpstream((socket) => socket.write(jsonAnswer()))
    upstreams.push(target)
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
    const results = await Promise.all(
      hosts.map(async (host) => {
        const account = await bench.createTestAccount({ config: { baseUrl: `http://${host}:${port}` } })
        const answer = await account.fetch(strict, '/models')
        return [host, answer.status, await codeOf(answer)]
      }),
    )
    for (const result of results) expect(result).toEqual([result[0], 502, 'upstream_forbidden'])
    expect([target.heads.length, target.sockets.size]).toEqual([0, 0])
    expect(await strict.metric('sallyport_proxy_in_flight')).toBe(0)
  })
})

test.each([301, 302, 303, 307, 308])(
  'row 26: %i to a metadata address goes to the client, nobody follows it',
  async (status) => {
    const location = 'http://169.254.169.254/latest/meta-data/'
    const { account, upstream } = await behind((socket) =>
      socket.write(jsonAnswer(undefined, `location: ${location}`).replace('200 OK', `${status} Moved`)),
    )
    const answer = await account.fetch(gateway, '/things', { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([status, location])
    expect(upstream.heads).toHaveLength(1)
  },
)

describe('row 35: the key of the provider stays here', () => {
  const key = 'sk-proj-very-secret-0123456789'
  const echoes: Record<string, (socket: Socket, nth: number, head: string) => void> = {
    'in a small error': (socket) =>
      socket.write(jsonAnswer(`{"error":{"message":"Incorrect API key: ${key}"}}`).replace('200 OK', '401 No')),
    'in an error page': (socket) =>
      socket.write(jsonAnswer(`<b>${key}</b>`).replace('200 OK', '500 No').replace('application/json', 'text/html')),
    'in headers': (socket, _nth, head) =>
      socket.write(
        jsonAnswer(undefined, `etag: ${key}`, `x-sent: ${/authorization: .*/.exec(head)?.[0]}`, `x-request-id: ${key}`),
      ),
    'in an answer': (socket) => socket.write(jsonAnswer(`{"headers":{"authorization":"Bearer ${key}"},"id":"ü"}`)),
    'in a large answer': (socket) => socket.write(jsonAnswer(`{"x":"${'x'.repeat(mib)}","sent":"${key}"}`)),
    'in a stream, cut in two': async (socket) => {
      const frame = `data: {"sent":"${key}"}\n\n`
      const length = `content-length: ${frame.length}`
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n${length}\r\n\r\n${frame.slice(0, 25)}`)
      await setTimeout(50)
      socket.write(frame.slice(25))
    },
  }
  test.concurrent.each(Object.keys(echoes))('when it is echoed %s', async (how) => {
    const { account } = await behind(echoes[how]!, { keys: [key], config: { logBodies: true } })
    const answer = await account.fetch(gateway, '/things')
    const seen = JSON.stringify([...answer.headers]) + (await answer.text())
    const event = await bench.events.of(answer.headers.get('x-request-id'))
    expect([seen.includes(key), JSON.stringify(event).includes(key)]).toEqual([false, false])
    expect(event.outcome).toBe('completed')
  })

  test('nor is a token in any log', async () => {
    const { account } = await behind((socket) => socket.write(jsonAnswer()), { config: { logBodies: true } })
    const { secret } = account.token
    const headers = {
      'x-api-key': secret,
      'api-key': secret,
      'x-auth-token': secret,
      cookie: `t=${secret}`,
      'x-other': secret,
    }
    const answer = await account.fetch(gateway, `/things?key=${secret}`, { headers })
    expect(JSON.stringify(await bench.events.of(answer.headers.get('x-request-id')))).not.toContain(secret)
  })
})
