import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createTracing } from '#core/tracing.ts'
import { useTestBench } from './gateway.fixture.ts'
import { jsonResponse } from './raw-upstream.fixture.ts'

const exporter = new InMemorySpanExporter()
const options = {
  endpoint: 'http://127.0.0.1:4318',
  headers: {},
  serviceName: undefined,
  resourceAttributes: {},
  sampler: 'parentbased_always_on',
  samplerRatio: 1,
} as const
const processor = new SimpleSpanProcessor({ exporter })
const { tracer, close } = createTracing(options, ['proxy'], pino({ level: 'silent' }), processor)
afterAll(close)
const bench = await useTestBench()
const gateway = await bench.startGateway({ tracer })

/** The spans of one trace, in the order in which they ended. */
const spansOf = (traceId: string): ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId)

const id = (span?: ReadableSpan) => span?.spanContext().spanId

const traceparentsIn = (heads: string[]) => heads.map((head) => /^traceparent: (.*)$/im.exec(head)?.[1])

let last = 0
const newTraceId = () => (last += 1).toString(16).padStart(32, '0af')

const completion = JSON.stringify({
  object: 'chat.completion',
  model: 'gpt-4o-mini',
  choices: [],
  usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
})
const failure = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n'

test('a request continues the trace of its client, and the provider continues that of each attempt', async () => {
  const { account, upstream } = await bench.createAccountWithUpstream(
    (socket, nth) => socket.write(nth === 0 ? failure : jsonResponse(completion)),
    { config: { retryAttempts: 1 } },
  )
  await account.configure({ baseUrl: `${upstream.origin}/openai` })
  const traceId = newTraceId()
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const response = await account.chat(gateway, {}, { headers: { traceparent, tracestate: 'vendor=1' } })
  await response.text()
  const [first, second, call, request] = spansOf(traceId)
  expect(request).toMatchObject({
    name: 'POST /v1/chat/completions',
    kind: SpanKind.SERVER,
    parentSpanContext: { spanId: 'b7ad6b7169203331' },
    attributes: { 'http.response.status_code': 200, 'http.route': '/v1/chat/completions', 'sallyport.attempts': 2 },
  })
  expect(call).toMatchObject({
    name: 'chat gpt-4o-mini',
    kind: SpanKind.CLIENT,
    parentSpanContext: { spanId: id(request) },
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o-mini',
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.output_tokens': 4,
    },
  })
  expect(first).toMatchObject({
    parentSpanContext: { spanId: id(call) },
    attributes: { 'http.response.status_code': 503, 'error.type': '503' },
    status: { code: SpanStatusCode.ERROR },
  })
  expect(second).toMatchObject({
    parentSpanContext: { spanId: id(call) },
    attributes: {
      'http.response.status_code': 200,
      'http.request.resend_count': 1,
      'url.full': `${upstream.origin}/openai/chat/completions`,
    },
    status: { code: SpanStatusCode.UNSET },
  })
  expect(traceparentsIn(upstream.heads)).toEqual([first, second].map((span) => `00-${traceId}-${id(span)}-01`))
  expect(upstream.heads[0]).toContain('tracestate: vendor=1')
  expect(JSON.stringify([first, second, call, request].map((span) => span?.attributes))).not.toContain('sk-')
})

test('what the client does not record is not recorded, and the provider is not asked to', async () => {
  const { account, upstream } = await bench.createAccountWithUpstream()
  const traceId = newTraceId()
  const response = await account.chat(gateway, {}, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-00` } })
  await response.text()
  expect(spansOf(traceId)).toEqual([])
  expect(traceparentsIn(upstream.heads)).toEqual([expect.stringMatching(new RegExp(`^00-${traceId}-\\w{16}-00$`))])
})

test('a rejected request is one span; a failed one names its error', async () => {
  const { account } = await bench.createAccountWithUpstream(undefined, { token: { models: ['gpt-4o'] } })
  const rejected = newTraceId()
  const response = await account.chat(gateway, {}, { headers: { traceparent: `00-${rejected}-b7ad6b7169203331-01` } })
  expect(response.status).toBe(403)
  const spans = spansOf(rejected)
  expect(spans.map(({ name, attributes }) => [name, attributes['http.response.status_code']])).toEqual([
    ['POST /v1/chat/completions', 403],
  ])
  const broken = await bench.createAccountWithUpstream((socket) => socket.destroy())
  const traceId = newTraceId()
  await broken.account.chat(gateway, {}, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })
  const failed = spansOf(traceId)
  expect(failed.map(({ attributes }) => attributes['error.type'])).toEqual(Array(3).fill('upstream_disconnected'))
})
