import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { TracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace'
import type { RequestEvent } from '#schemas/request-event.ts'
import { second } from '#core/units.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'

const propagator = new W3CTraceContextPropagator()
const header = { get: (headers: Record<string, string>, name: string) => headers[name], keys: Object.keys }

/**
 * Sends one span per request to an OpenTelemetry collector, as a child of the client's span if it sent one.
 * @param endpoint base URL of OTLP over HTTP, as in `OTEL_EXPORTER_OTLP_ENDPOINT`
 */
export function createRequestTracer(
  endpoint: string,
  exporter: SpanExporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
): { trace(event: RequestEvent): void; close(): Promise<void> } {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'sallyport-proxy' }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('sallyport')
  return {
    trace(event) {
      const startTime = uuidTimeMs(event.id)
      const parent: Context = propagator.extract(ROOT_CONTEXT, event.requestHeaders, header)
      const span = tracer.startSpan(
        `${event.method} ${event.endpoint}`,
        { kind: SpanKind.SERVER, startTime, attributes: attributesOf(event) },
        parent,
      )
      if (event.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: event.errorMessage ?? undefined })
      span.end(startTime + event.responseTimeMs)
    },
    close: () => provider.shutdown(),
  }
}

/** Names: OpenTelemetry's semantic conventions for HTTP and generative AI. */
const attributesOf = (event: RequestEvent) => ({
  'http.request.method': event.method,
  'http.response.status_code': event.status,
  'url.path': event.endpoint,
  'gen_ai.request.model': event.model ?? undefined,
  'gen_ai.usage.input_tokens': event.promptTokens ?? undefined,
  'gen_ai.usage.output_tokens': event.completionTokens ?? undefined,
  'sallyport.request_id': event.id,
  'sallyport.outcome': event.outcome,
  'sallyport.attempts': event.attempts,
  'sallyport.overhead_seconds': event.overheadUs === null ? undefined : event.overheadUs / (second * 1_000),
})
