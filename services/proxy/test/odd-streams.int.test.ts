import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { useTestBench } from './gateway.fixture.ts'
import { chunk, okHead } from './raw-upstream.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()

const lastChunk = chunk('')
const chunkedHead = (type: string, ...headers: string[]) =>
  okHead(`content-type: ${type}`, 'transfer-encoding: chunked', ...headers)

/** Sends a request. @returns its response, and the provider's connection, on which the test responds */
async function start(body: object) {
  const connected = Promise.withResolvers<Socket>()
  const { account } = await bench.createAccountWithUpstream((socket) => connected.resolve(socket))
  const responding = account.chat(gateway, body)
  return { responding, socket: await connected.promise }
}

const identity = (text: string) => Buffer.from(text)
const usage = '"usage":{"prompt_tokens":7,"completion_tokens":9}'

describe('nothing is buffered of', () => {
  test.concurrent.each([
    ['application/stream+json', '{"n":1}\n'],
    ['application/json-seq', '\x1e{"n":1}\n'],
    ['application/x-ndjson', '{"n":1}\n'],
    ['application/jsonl', '{"n":1}\n'],
    ['application/json', '  \n'],
    ['application/json', '{"slow":'],
  ])('%s that begins with %j', async (type, first) => {
    for (const stream of type === 'application/json' ? [false] : [false, true]) {
      const { responding, socket } = await start({ stream })
      socket.write(chunkedHead(type))
      socket.write(chunk(first))
      const chunks = (await responding).body!.pipeThrough(new TextDecoderStream()).getReader()
      expect((await chunks.read()).value).toBe(first)
      socket.write(Buffer.concat([chunk('2}\n'), lastChunk]))
      expect((await chunks.read()).value).toBe('2}\n')
      expect((await chunks.read()).done).toBe(true)
    }
  })
})

test('usage of JSON that began with heartbeats is logged', async () => {
  const { responding, socket } = await start({})
  socket.write(Buffer.concat([Buffer.from(chunkedHead('application/json')), chunk('\n')]))
  const response = await responding
  expect(response.headers.get('x-sallyport-cost-usd')).toBeNull()
  socket.write(Buffer.concat([chunk(`{"choices":[{}],${usage}}`), lastChunk]))
  expect(await response.text()).toBe(`\n{"choices":[{}],${usage}}`)
  expect(await bench.events.of(response)).toMatchObject({ promptTokens: 7, completionTokens: 9, costSource: 'exact' })
})

test('JSON that comes at once has its cost in a header, chunked or not', async () => {
  const body = `{"choices":[{}],${usage}}`
  for (const sent of [
    Buffer.concat([Buffer.from(chunkedHead('application/json')), chunk(body), lastChunk]),
    Buffer.from(okHead('content-type: application/json', `content-length: ${body.length}`) + body),
  ]) {
    const { responding, socket } = await start({})
    socket.write(sent)
    const response = await responding
    expect(Number(response.headers.get('x-sallyport-cost-usd'))).toBeGreaterThan(0)
    expect(await response.text()).toBe(body)
  }
})

describe('usage that the client did not ask for is logged, not shown, in', () => {
  const events = (end: string) => [
    `data: {"choices":[{}],"usage":null}${end}${end}data: {"choices":[],${usage}}${end}${end}data: [DONE]${end}${end}`,
    `data: {"choices":[{}]}${end}${end}data: [DONE]${end}${end}`,
  ]
  const lines = [`{"choices":[{}],"usage":null}\n{"choices":[],${usage}}\n`, '{"choices":[{}]}\n']
  test.concurrent.each([
    ['events that end with CR', 'text/event-stream', 'identity', identity, events('\r')],
    ['events that end with CRLF', 'Text/Event-Stream', 'identity', identity, events('\r\n')],
    ['gzip', 'text/event-stream', 'gzip', gzipSync, events('\n')],
    ['GZIP', 'text/event-stream', 'GZIP', gzipSync, events('\n')],
    ['JSON lines', 'application/x-ndjson', 'identity', identity, lines],
    ['compressed JSON lines', 'application/x-ndjson', 'gzip', gzipSync, lines],
    ['JSON lines that are called JSON', 'application/json', 'identity', identity, lines],
  ])('%s', async (_what, type, encoding, encode, [sent, visible]) => {
    const { responding, socket } = await start({ stream: true })
    socket.write(chunkedHead(type, `content-encoding: ${encoding}`))
    socket.write(Buffer.concat([chunk(encode(sent!)), lastChunk]))
    const response = await responding
    expect(await response.text()).toBe(visible)
    expect(await bench.events.of(response)).toMatchObject({ promptTokens: 7, completionTokens: 9 })
  })
})
