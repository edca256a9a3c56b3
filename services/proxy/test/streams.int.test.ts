import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { useTestBench } from './gateway.fixture.ts'
import { head, RawConnection } from './raw-http.fixture.ts'
import { chunk, okHead } from './raw-upstream.fixture.ts'
import type { TestAccountOptions } from './test-account.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()

const messages = [{ role: 'user', content: 'Hello' }]
const streamHead = okHead('content-type: text/event-stream', 'transfer-encoding: chunked')
const frame = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}\n\n`

const usage = (tokens: number) =>
  `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":${tokens},"total_tokens":${7 + tokens}}}\n\n`

/** Requests a stream. @returns its response, and the provider's connection, on which the test sends it */
async function startStream(config: TestAccountOptions['config'] = {}, body: object = {}) {
  const connected = Promise.withResolvers<Socket>()
  const { account } = await bench.createAccountWithUpstream((socket) => connected.resolve(socket), { config })
  const responding = account.chat(gateway, { stream: true, ...body })
  return { responding, socket: await connected.promise }
}

function reader(response: Response) {
  const chunks = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  return async () => (await chunks.read()).value
}

/** The provider's response without the gateway. */
const directly = async (body: object) => {
  const response = await fetch(`${bench.providerOrigin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-primary', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages, ...body }),
  })
  return response.text()
}

describe('server-sent events', () => {
  test.each([false, true])(
    'are passed on frame by frame, the head before the first one (usage asked for: %s)',
    async (asked) => {
      const options = asked ? { stream_options: { include_usage: true } } : {}
      const { responding, socket } = await startStream({}, options)
      socket.write(streamHead)
      const response = await responding
      expect(response.headers.get('x-accel-buffering')).toBe('no')
      const read = reader(response)
      for (const content of ['one', 'two', 'drei ü 🌍']) {
        socket.write(chunk(frame(content)))
        expect(await read()).toBe(frame(content))
      }
      const last = Buffer.from(frame('in two halves ü'))
      const half = last.indexOf(0xc3) + 1
      for (const part of [last.subarray(0, half), last.subarray(half)]) {
        socket.write(chunk(part))
        await setTimeout(20)
      }
      let rest = ''
      while (rest.length < frame('in two halves ü').length) rest += await read()
      expect(rest).toBe(frame('in two halves ü'))
      socket.write(chunk(''))
      expect(await read()).toBeUndefined()
    },
  )

  test('usage that the client did not ask for is logged, not shown; the response has an id and, on request, timing', async () => {
    const account = await bench.createTestAccount()
    const response = await account.chat(gateway, { stream: true }, { headers: { 'x-sallyport-debug': '1' } })
    const text = await response.text()
    expect(text).toBe(await directly({ stream: true }))
    expect(text).not.toContain('usage')
    expect(response.headers.get('server-timing')).toContain('gateway;dur=')
    expect(await bench.events.of(response)).toMatchObject({
      costSource: 'exact',
      promptTokens: 2,
      completionTokens: 38,
      costNanoUsd: 2 * 150 + 38 * 600,
      streamed: true,
      responseBytes: Buffer.byteLength(text),
    })
  })

  test('an account may switch that off: then the body is sent unchanged, and usage is estimated', async () => {
    const account = await bench.createTestAccount({ config: { streamUsage: false }, keys: ['sk-off'] })
    const response = await account.chat(gateway, { stream: true })
    expect(await response.text()).toBe(await directly({ stream: true }))
    const event = await bench.events.of(response)
    expect(bench.provider.received.find(({ key }) => key === 'sk-off')?.bodyBytes).toBe(event.requestBytes)
    expect(event.costSource).toBe('estimated')
    expect(event.completionTokens).toBeGreaterThan(10)
  })

  test('a client that leaves ends the stream at the provider; the log has its estimated cost', async () => {
    const account = await bench.createTestAccount({ keys: ['sk-leave.chunks=1000.chunk-delay-ms=100'] })
    const abort = new AbortController()
    const response = await account.chat(gateway, { stream: true }, { signal: abort.signal })
    const read = reader(response)
    for (let frames = 0; frames < 5; frames += 1) await read()
    abort.abort()
    const record = bench.provider.received.find(({ key }) => key?.startsWith('sk-leave'))!
    // Long before the stream would end.
    await expect.poll(() => record.aborted).toBe(true)
    const event = await bench.events.of(response)
    expect(event).toMatchObject({ outcome: 'client_aborted', status: 200, costSource: 'estimated', streamed: true })
    expect(event.completionTokens).toBeGreaterThanOrEqual(4)
    expect(event.costNanoUsd).toBeGreaterThan(0)
    expect(event.attemptLog).toMatchObject([{ result: 'client_aborted' }])
  })
})

test('what a client that leaves has cost is estimated from the text, and as other streams of the model were', async () => {
  const text = frame('x'.repeat(400)).repeat(10)
  const end = ['', usage(900), '', usage(2_000), '']
  const { account } = await bench.createAccountWithUpstream((socket, nth) => {
    socket.write(streamHead)
    socket.write(chunk(text + end[nth]))
    if (end[nth]) socket.write(chunk(''))
  })
  const leave = async () => {
    const abort = new AbortController()
    const response = await account.chat(gateway, { stream: true }, { signal: abort.signal })
    await reader(response)()
    abort.abort()
    return bench.events.of(response)
  }
  expect(await leave()).toMatchObject({ costSource: 'estimated', completionTokens: 1_000 })
  const stay = async () => {
    const response = await account.chat(gateway, { stream: true })
    await response.text()
    return bench.events.of(response)
  }
  expect(await stay()).toMatchObject({ costSource: 'exact', completionTokens: 900 })
  expect(await leave()).toMatchObject({ costSource: 'estimated', promptTokens: 7, completionTokens: 818 })
  // Far more than the text can have: the rest is reasoning, which a stream has before its text.
  expect(await stay()).toMatchObject({ costSource: 'exact', completionTokens: 2_000 })
  expect(await leave()).toMatchObject({ costSource: 'estimated', promptTokens: 7, completionTokens: 1_850 })
})

describe('a provider that aborts', () => {
  test.concurrent.each([
    ['a stream', 'reset=stream', { stream: true }],
    ['a large JSON response', `reset=stream.bytes=${2 * mib}`, {}],
    ['a compressed response', `reset=stream.gzip=1.bytes=${mib}`, { stream: true }],
  ])('%s: the client sees an abort, and there is no retry', async (_what, control, body) => {
    const keys = [`sk-broken.${control}`]
    const account = await bench.createTestAccount({ keys, config: { retryAttempts: 3 } })
    const response = await account.chat(gateway, body)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    expect(await bench.events.of(response)).toMatchObject({
      outcome: 'upstream_failed',
      status: 200,
      attemptLog: [{ result: 'upstream_disconnected' }],
    })
  })

  test('a stream whose end is only the end of its connection: a reset is an abort', async () => {
    const { responding, socket } = await startStream()
    socket.write(okHead('content-type: text/event-stream', 'connection: close') + frame('Hello'))
    const response = await responding
    socket.resetAndDestroy()
    await expect(response.text()).rejects.toThrow()
    expect(await bench.events.of(response)).toMatchObject({
      outcome: 'upstream_failed',
      status: 200,
      attemptLog: [{ result: 'upstream_disconnected' }],
    })
  })

  test('a client of HTTP/1.0, which finds the end by the connection, sees a reset', async () => {
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

  test('a slow but steady stream does not time out', async () => {
    const account = await bench.createTestAccount({
      keys: ['sk-slow.chunks=5.chunk-delay-ms=500'],
      config: { timeout: 2_000 },
    })
    expect(await (await account.chat(gateway, { stream: true })).text()).toContain('[DONE]')
  })
})
