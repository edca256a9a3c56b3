import { type Context, diag, DiagLogLevel, ROOT_CONTEXT, type Tracer } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { v7 as uuidv7 } from 'uuid'
import type { Config, TracesConfig, TraceSampler } from './config.ts'
import type { Logger } from './logger.ts'
import { version } from './version.ts'

const createSampler: Record<TraceSampler, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

const ignore = () => undefined

/**
 * Sends traces to an OpenTelemetry collector. Import it only if traces are enabled: OpenTelemetry has 300 modules.
 * @param options from the variables that begin with `OTEL_`
 */
export function createTracing(
  { endpoint, headers, serviceName, resourceAttributes, sampler, samplerRatio }: TracesConfig,
  roles: Config['roles'],
  logger: Logger,
  processor: SpanProcessor = sendTo(endpoint, headers),
): { tracer: Tracer; close(): Promise<void> } {
  const warn = (message: string) => logger.warn({ reason: message }, 'traces could not be sent')
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.version': version,
      'service.instance.id': uuidv7(),
      ...resourceAttributes,
      'service.name': serviceName ?? resourceAttributes['service.name'] ?? serviceNameOf(roles),
    }),
    sampler: createSampler[sampler](samplerRatio),
    spanProcessors: [processor],
  })
  return { tracer: provider.getTracer('sallyport', version), close: () => provider.shutdown() }
}

const sendTo = (endpoint: string, headers: Record<string, string>): SpanProcessor =>
  new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, headers }),
  })

const serviceNameOf = ([role, ...others]: Config['roles']) => (others.length === 0 ? `sallyport-${role}` : 'sallyport')

const propagator = new W3CTraceContextPropagator()

type Headers = Record<string, string | string[] | undefined>
const getter = {
  get: (headers: Headers, name: string) => headers[name],
  keys: (headers: Headers) => Object.keys(headers),
}

/** The context of the span in a request's `traceparent`; the root context without one. */
export const readTraceContext = (headers: Headers): Context => propagator.extract(ROOT_CONTEXT, headers, getter)

/** Headers with which the receiver of a request continues a trace: name, value, name, value … */
export function traceContextHeaders(spanContext: Context): string[] {
  const carrier: string[] = []
  propagator.inject(spanContext, carrier, { set: (headers, name, value) => void headers.push(name, value) })
  return carrier
}
