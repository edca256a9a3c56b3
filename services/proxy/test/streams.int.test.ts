import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import { head, RawConnection } from './raw-http.fixture.ts'
import { startRawUpstream } from './raw-upstream.fixture.ts'

let bench: TestBench
let gateway: Gateway
beforeAll(async () => {
  bench = await openTestBench()
  gateway = await bench.startGateway()
})
afterAll(() => bench.stop())

const messages = [{ role: 'user', content: 'Hello' }]
const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const lastChunk = '0\r\n\r\n'
const frame = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}\n\n`

/** A provider that streams what the test tells it to, when the test tells it to. */
async function startConductor(config: Parameters<TestBench['createTestAccount']>[0] = {}) {
  let answering = Promise.withResolvers<Socket>()
  const upstream = await startRawUpstream((socket) => answering.resolve(socket))
  const account = await bench.createTestAccount({ ...config, config: { baseUrl: upstream.origin, ...config.config } })
  return {
    upstream,
    account,
    next: async () => {
      const socket = await answering.promise
      answering = Promise.withResolvers<Socket>()
      return socket
    },
  }
}

function reader(answer: Response) {
  const chunks = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  return async () => (await chunks.read()).value
}

/** What the provider itself would have answered. */
const directly = async (body: object) => {
  const answer = await fetch(`${bench.providerOrigin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-primary', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages, ...body }),
  })
  return answer.text()
}

describe('server-sent events', () => {
  test.each([false, true])(
    'go on frame by frame, the head before the first of them (usage asked for: %s)',
    async (asked) => {
      const { upstream, account, next } = await startConductor()
      const options = asked ? { stream_options: { include_usage: true } } : {}
      const answering = account.chat(gateway, { stream: true, ...options })
      const socket = await next()
      socket.write(streamHead)
      const read = reader(await answering)
      for (const content of ['one', 'two', 'drei ü 🌍']) {
        socket.write(chunk(frame(content)))
        expect(await read()).toBe(frame(content))
      }
      const last = Buffer.from(frame('in two halves ü'))
      const half = last.indexOf(0xc3) + 1
      for (const part of [last.subarray(0, half), last.subarray(half)]) {
        socket.write(Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]))
        await setTimeout(20)
      }
      let rest = ''
      while (rest.length < frame('in two halves ü').length) rest += await read()
      expect(rest).toBe(frame('in two halves ü'))
      socket.write(lastChunk)
      expect(await read()).toBeUndefined()
      await upstream.stop()
    },
  )

  test('usage that the client did not ask for is counted, not shown', async () => {
    const account = await bench.createTestAccount()
    const answer = await account.chat(gateway, { stream: true })
    const text = await answer.text()
    expect(text).toBe(await directly({ stream: true }))
    expect(text).not.toContain('usage')
    expect(await bench.events.of(answer.headers.get('x-request-id'))).toMatchObject({
      costSource: 'exact',
      promptTokens: 2,
      completionTokens: 38,
      streamed: true,
      responseBytes: Buffer.byteLength(text),
    })
  })

  test.each([
    { stream: true, stream_options: { include_usage: true } },
    { stream: true, stream_options: { include_usage: false } },
    { stream: true, stream_options: null },
  ])('what the client says of usage itself stays as it is: %j', async (body) => {
    const account = await bench.createTestAccount()
    const answer = await account.chat(gateway, body)
    expect(await answer.text()).toBe(await directly(body))
  })

  test('an account may switch that off: then the provider gets what the client wrote, and usage is estimated', async () => {
    const account = await bench.createTestAccount({ config: { streamUsage: false }, keys: ['sk-off'] })
    const answer = await account.chat(gateway, { stream: true })
    expect(await answer.text()).toBe(await directly({ stream: true }))
    const event = await bench.events.of(answer.headers.get('x-request-id'))
    expect(bench.provider.received.find(({ key }) => key === 'sk-off')?.bodyBytes).toBe(event.requestBytes)
    expect(event.costSource).toBe('estimated')
    expect(event.completionTokens).toBeGreaterThan(10)
  })

  test('a client that leaves ends the stream at the provider; the log has what it is estimated to have cost', async () => {
    const account = await bench.createTestAccount({ keys: ['sk-leave.chunks=1000.chunk-delay-ms=20'] })
    const abort = new AbortController()
    const answer = await account.chat(gateway, { stream: true }, { signal: abort.signal })
    const read = reader(answer)
    for (let frames = 0; frames < 5; frames += 1) await read()
    abort.abort()
    const record = bench.provider.received.find(({ key }) => key?.startsWith('sk-leave'))!
    await expect.poll(() => record.aborted, { timeout: 1_000 }).toBe(true)
    const event = await bench.events.of(answer.headers.get('x-request-id'))
    expect(event).toMatchObject({ outcome: 'client_aborted', status: 200, costSource: 'estimated', streamed: true })
    expect(event.completionTokens).toBeGreaterThanOrEqual(4)
    expect(event.costNanoUsd).toBeGreaterThan(0)
    expect(event.attemptLog).toMatchObject([{ result: 'client_aborted' }])
  })
})

describe('a provider that breaks off', () => {
  test.concurrent.each([
    ['a stream', 'reset=stream', { stream: true }],
    ['a large JSON answer', `reset=stream.bytes=${2 * mib}`, {}],
    ['a compressed answer', `reset=stream.gzip=1.bytes=${mib}`, { stream: true }],
  ])('%s: the client sees an abort', async (_what, control, body) => {
    const account = await bench.createTestAccount({ keys: [`sk-broken.${control}`] })
    const answer = await account.chat(gateway, body)
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
    expect(await bench.events.of(answer.headers.get('x-request-id'))).toMatchObject({
      outcome: 'upstream_failed',
      status: 200,
      attemptLog: [{ result: 'upstream_unreachable' }],
    })
  })

  test.concurrent.each(['reset=stream', 'reset=headers'])(
    'in a small JSON answer (%s): a clean 502',
    async (control) => {
      const account = await bench.createTestAccount({ keys: [`sk-small.${control}`] })
      const answer = await account.chat(gateway)
      expect([answer.status, await answer.json()]).toMatchObject([502, { error: { code: 'upstream_unreachable' } }])
      expect(await bench.events.of(answer.headers.get('x-request-id'))).toMatchObject({
        outcome: 'upstream_failed',
        status: 502,
      })
    },
  )

  test('a client that can only tell the end by the connection sees a reset, not an end', async () => {
    const account = await bench.createTestAccount({ keys: ['sk-broken.reset=stream'] })
    const connection = new RawConnection(gateway.port)
    const reset = once(connection.socket, 'error')
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages, stream: true })
    connection.send(
      head(
        'POST /api/proxy/v1/chat/completions HTTP/1.0',
        'Host: gateway',
        `Authorization: Bearer ${account.token.secret}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ) + body,
    )
    expect(await reset).toMatchObject([{ code: 'ECONNRESET' }])
  })

  test('silence longer than the timeout counts as an end', async () => {
    const { upstream, account, next } = await startConductor({ config: { timeout: 1_000 } })
    const answering = account.chat(gateway, { stream: true })
    const socket = await next()
    socket.write(streamHead + chunk(frame('one')))
    const answer = await answering
    await expect(answer.text()).rejects.toThrow()
    expect(await bench.events.of(answer.headers.get('x-request-id'))).toMatchObject({
      outcome: 'upstream_failed',
      attemptLog: [{ result: 'upstream_timeout' }],
    })
    await upstream.stop()
  })

  test('slow but steady is no silence', async () => {
    const account = await bench.createTestAccount({
      keys: ['sk-slow.chunks=4.chunk-delay-ms=400'],
      config: { timeout: 1_000 },
    })
    expect(await (await account.chat(gateway, { stream: true })).text()).toContain('[DONE]')
  })
})
