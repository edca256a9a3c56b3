import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { errorOf, useTestBench } from './gateway.fixture.ts'
import { jsonResponse, okHead, type Respond } from './raw-upstream.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

/** A sent request is not repeated unless that is safe: product.md 5.6. */
const bench = await useTestBench()
const gateway = await bench.startGateway()

const keyed = { 'content-type': 'application/json', 'idempotency-key': 'once' }
const requests = {
  GET: (account: TestAccount) => account.fetch(gateway, '/things'),
  'POST with a key': (account: TestAccount) => account.post(gateway, '/things', '{}', keyed),
  POST: (account: TestAccount) => account.post(gateway, '/things', '{}'),
}
type Kind = keyof typeof requests

const mayRetry = ({ headers }: Response) => headers.get('x-should-retry') ?? 'as usual'

/** @param timeout by default longer than any stall of a busy machine */
const behind = (respond: Respond, retryAttempts: number, timeout = 30_000) =>
  bench.createAccountWithUpstream(respond, { config: { retryAttempts, timeout } })
const keepsSilent = () => undefined

describe('after the request was sent', () => {
  test.concurrent.each<[Kind, number, string]>([
    ['GET', 2, 'as usual'],
    ['POST with a key', 2, 'as usual'],
    ['POST', 1, 'false'],
  ])('a timeout of %s: %i attempts, and the client may retry: %s', async (kind, attempts, retry) => {
    const { account, upstream } = await behind(keepsSilent, 1, 1_000)
    const response = await requests[kind](account)
    expect([...(await errorOf(response)), upstream.heads.length]).toEqual([504, 'upstream_timeout', attempts])
    expect(mayRetry(response)).toBe(retry)
  })

  test.concurrent.each<[Kind, number, string]>([
    ['GET', 3, 'as usual'],
    ['POST with a key', 3, 'as usual'],
    ['POST', 1, 'false'],
  ])('a reset of %s: %i attempts, and the client may retry: %s', async (kind, attempts, retry) => {
    const { account, upstream } = await behind((socket) => socket.resetAndDestroy(), 2)
    const response = await requests[kind](account)
    expect([...(await errorOf(response)), upstream.heads.length]).toEqual([502, 'upstream_disconnected', attempts])
    expect(mayRetry(response)).toBe(retry)
  })
})

test.concurrent('a connection that fails is tried again for every method', async () => {
  const { account, upstream } = await behind(keepsSilent, 1)
  await upstream.stop()
  const response = await requests.POST(account)
  expect(await errorOf(response)).toEqual([502, 'upstream_unreachable'])
  expect(mayRetry(response)).toBe('as usual')
  expect((await bench.events.of(response)).attempts).toBe(2)
})

test.concurrent('a timeout while connecting means that nothing was sent, so the client may retry', async () => {
  const upstream = await bench.startUpstream()
  const baseUrl = upstream.origin.replace('http:', 'https:')
  const account = await bench.createTestAccount({ config: { baseUrl, timeout: 1_000 } })
  const response = await requests.POST(account)
  expect([...(await errorOf(response)), mayRetry(response)]).toEqual([504, 'upstream_timeout', 'as usual'])
})

describe('a connection that the provider closes while it is idle', () => {
  let stop: (() => void) | undefined
  afterEach(() => stop?.())

  /** Ends the upstream's side of a connection right before the second request is written to it. */
  async function closeBeforeSecondRequest(kind: Kind, close: (socket: Socket) => void) {
    const { account, upstream } = await behind((socket) => socket.write(jsonResponse()), 0)
    await (await requests[kind](account)).text()
    const [idle] = upstream.sockets
    const port = Number(new URL(upstream.origin).port)
    const onWrite = (message: unknown) => {
      const { socket } = message as { socket: Socket }
      if (socket.remotePort === port && idle && !idle.destroyed) close(idle)
    }
    subscribe('undici:client:sendHeaders', onWrite)
    stop = () => unsubscribe('undici:client:sendHeaders', onWrite)
    const response = await requests[kind](account)
    return { response, upstream }
  }

  test.each<Kind>(['GET', 'POST with a key', 'POST'])(
    '%s is sent on another one when it could not be written, without any retries',
    async (kind) => {
      const { response, upstream } = await closeBeforeSecondRequest(kind, (socket) => socket.resetAndDestroy())
      expect([response.status, upstream.heads.length]).toEqual([200, 2])
      expect((await bench.events.of(response)).attempts).toBe(2)
    },
  )

  test.each<[Kind, number]>([
    ['GET', 200],
    ['POST with a key', 200],
    ['POST', 502],
  ])('%s that was written is %i: only the provider knows whether it read it', async (kind, status) => {
    const { response } = await closeBeforeSecondRequest(kind, (socket) => socket.destroy())
    expect(response.status).toBe(status)
  })

  test('a new connection that breaks is not tried again without retries', async () => {
    const { account, upstream } = await behind((socket) => socket.destroy(), 0)
    expect([(await requests.GET(account)).status, upstream.heads.length]).toEqual([502, 1])
  })
})

function respondAndBlock(socket: Socket): void {
  socket.write(jsonResponse())
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100)
}

describe('the timeout', () => {
  test.concurrent.each([
    ['before the first byte', ''],
    ['within a response', `${okHead('content-type: text/plain', 'content-length: 9')}x`],
  ])('ends silence %s on time', async (_where, bytes) => {
    const timeout = 2_000
    const ended = Promise.withResolvers<string>()
    // On the gateway's event loop, so that a busy machine delays both; in two halves as there, so that a pause does, too;
    // then one more step, so that it can process the end.
    const expectEnd = () =>
      setTimeout(timeout / 2)
        .then(() => setTimeout(timeout / 2 + 50))
        .then(() => setTimeout(50, 'too late'))
        .then(ended.resolve)
    const respond = (socket: Socket) => {
      socket.once('close', () => ended.resolve('on time'))
      if (bytes === '') void expectEnd()
      else socket.write(bytes)
    }
    const { account } = await behind(respond, 0, timeout)
    const response = await requests.POST(account)
    const text = response.text()
    if (bytes === '') await text
    else {
      // The gateway now waits for the rest.
      void expectEnd()
      await expect(text).rejects.toThrow()
    }
    expect(await ended.promise).toBe('on time')
    const { outcome, attemptLog } = await bench.events.of(response)
    expect(outcome).toBe('upstream_failed')
    const [attempt] = attemptLog
    expect(attempt).toMatchObject({ result: 'upstream_timeout' })
    expect(attempt!.durationMs).toBeGreaterThanOrEqual(timeout - 5)
  })

  test.concurrent('is named by the error, to the client and in the log', async () => {
    const { account } = await behind(keepsSilent, 0, 1_000)
    const response = await account.post(gateway, '/things', '{}')
    const { error } = (await response.json()) as { error: { message: string } }
    expect(error.message).toContain('1000 ms')
    const failed = { status: 504, outcome: 'upstream_failed', errorMessage: error.message }
    expect(await bench.events.of(response)).toMatchObject(failed)
  })

  test('spares a response that arrived while the process was busy or suspended', async () => {
    const { account } = await behind(respondAndBlock, 0, 1_000)
    expect((await requests.POST(account)).status).toBe(200)
  })
})

/** Apart from the other requests: a busy machine may need more than their timeout for the bytes of these. */
describe('the timeout of an upload', () => {
  const timeout = 3_000

  async function* sendSlowly() {
    yield Buffer.alloc(11 * mib)
    await setTimeout(timeout + 300)
    yield Buffer.from('x')
  }

  test.concurrent('ends one that the provider does not take', async ({ expect: expectHere }) => {
    const { account, upstream } = await behind(keepsSilent, 0, 1_000)
    const responding = account.post(gateway, '/files', Buffer.alloc(48 * mib))
    await expectHere.poll(() => upstream.sockets.size).toBe(1)
    for (const socket of upstream.sockets) socket.pause()
    expect(await errorOf(await responding)).toEqual([504, 'upstream_timeout'])
  })

  test.concurrent('does not run while the client is slow', async () => {
    const { account, upstream } = await behind((socket) => socket.write(jsonResponse()), 0, timeout)
    const response = await fetch(`${gateway.baseURL}/things`, {
      method: 'POST',
      headers: { ...account.headers, 'content-length': String(11 * mib + 1) },
      body: sendSlowly() as unknown as string,
      duplex: 'half',
    } as RequestInit)
    expect([response.status, upstream.heads.length]).toEqual([200, 1])
  })
})

const compressed = (type: string, encoding: string) =>
  okHead(`content-type: ${type}`, `content-encoding: ${encoding}`, 'content-length: 40') + 'x'.repeat(40)

describe('a response that breaks before its first bytes reached the client is 502', () => {
  const stream = okHead('content-type: text/event-stream', 'transfer-encoding: chunked')
  test.concurrent.each([
    ['a broken first chunk of a stream', `${stream}zz\r\n`, 'upstream_invalid'],
    [
      'a broken first chunk of a file',
      `${stream.replace('text/event-stream', 'audio/mpeg')}zz\r\n`,
      'upstream_invalid',
    ],
    ['a stream without its first chunk', stream, 'upstream_disconnected'],
    ['a file that is no gzip', compressed('audio/mpeg', 'gzip'), 'upstream_encoding'],
    ['a stream that is no br', compressed('text/event-stream', 'br'), 'upstream_encoding'],
    ['JSON that is no zstd', compressed('application/json', 'zstd'), 'upstream_encoding'],
    [
      'a thousand encodings',
      okHead('content-type: audio/mpeg', `content-encoding: ${'gzip, '.repeat(1_000)}`),
      'upstream_invalid',
    ],
    ['an unsolicited interim response', 'HTTP/1.1 100 Continue\r\n\r\n', 'upstream_disconnected'],
    [
      'a header with a character that HTTP forbids',
      `${stream.replace('\r\n\r\n', '\r\netag: \x7f\r\n\r\n')}1\r\nx\r\n`,
      'upstream_invalid',
    ],
  ])('%s', async (_what, bytes, code) => {
    const { account, upstream } = await behind((socket) => socket.end(bytes, 'latin1'), 2)
    const response = await requests.POST(account)
    expect([...(await errorOf(response)), upstream.heads.length]).toEqual([502, code, 1])
    expect(mayRetry(response)).toBe('false')
    expect(await bench.events.of(response)).toMatchObject({ status: 502, outcome: 'upstream_failed', attempts: 1 })
  })
})
