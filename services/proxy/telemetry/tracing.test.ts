import { InMemorySpanExporter } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { createRequestTracer } from './tracing.ts'

test('a request becomes a child of the span that its client sent', async () => {
  const exporter = new InMemorySpanExporter()
  const tracer = createRequestTracer('http://127.0.0.1:4318', exporter)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  tracer.trace(requestEvent({ requestHeaders: { traceparent }, status: 502, errorMessage: 'unreachable' }))
  exporter.shutdown = async () => undefined
  await tracer.close()
  const [span] = exporter.getFinishedSpans()
  expect(span?.name).toBe('POST /v1/chat/completions')
  expect(span?.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c')
  expect(span?.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
  expect(span?.attributes).toMatchObject({ 'http.response.status_code': 502, 'gen_ai.request.model': 'gpt-4o' })
  expect(span?.status.message).toBe('unreachable')
})
