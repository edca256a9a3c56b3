import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { readTraceContext, traceContextHeaders } from '#core/tracing.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'
import { findEndpoint } from '#schemas/endpoints.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { nanoUsdPerUsd } from '#core/units.ts'
import { upstreamPathOf } from '../request/target.ts'
import type { ReceivedRequest } from './request-log-builder.ts'

/**
 * The spans of a request: the gateway's span, below it the model call, and below that each attempt. Names follow
 * OpenTelemetry's semantic conventions for HTTP and generative AI.
 */
export class RequestTrace {
  readonly #tracer: Tracer
  readonly #received: Pick<ReceivedRequest, 'id' | 'request' | 'account' | 'target' | 'metadata'>
  readonly #request: Span
  readonly #requestContext: Context
  #call: Span | undefined
  #attempt: Span | undefined
  #attempts = 0

  constructor(tracer: Tracer, received: ReceivedRequest) {
    const { id, request } = received
    this.#tracer = tracer
    this.#received = received
    const parent = readTraceContext(request.headers)
    const options = { kind: SpanKind.SERVER, startTime: uuidTimeMs(id), attributes: requestAttributes(received) }
    this.#request = tracer.startSpan(spanName(received), options, parent)
    this.#requestContext = trace.setSpan(parent, this.#request)
  }

  /** @returns headers that propagate the trace to the provider: name, value, name, value … */
  startAttempt(apiKeyId: string): string[] {
    const { account, request, target } = this.#received
    const { method } = request
    // Without the query, which may contain credentials.
    const path = upstreamPathOf(account, { ...target, pathAndQuery: target.endpoint })
    const attributes = {
      'http.request.method': method,
      'http.request.resend_count': this.#attempts || undefined,
      'url.full': account.origin + path,
      'sallyport.api_key_id': apiKeyId,
      ...this.#server(),
    }
    this.#attempts += 1
    const context = this.#startCall()
    this.#attempt = this.#tracer.startSpan(method ?? 'HTTP', { kind: SpanKind.CLIENT, attributes }, context)
    return traceContextHeaders(trace.setSpan(context, this.#attempt))
  }

  /** @param result HTTP status or error code */
  endAttempt(result: string): void {
    if (!this.#attempt) return
    const status = Number(result)
    if (status) this.#attempt.setAttribute('http.response.status_code', status)
    if (!status || status >= 400) fail(this.#attempt, result)
    this.#attempt.end()
  }

  end(event: RequestEvent): void {
    if (this.#call) {
      this.#call.setAttributes(usageAttributes(event))
      const failure = event.errorCode ?? (event.status >= 400 ? String(event.status) : undefined)
      if (failure !== undefined) fail(this.#call, failure, event.errorMessage)
      this.#call.end()
    }
    this.#request.setAttributes(resultAttributes(event))
    if (event.status >= 500) fail(this.#request, event.errorCode ?? String(event.status), event.errorMessage)
    this.#request.end()
  }

  /** The call's span covers all attempts. Endpoints that call no model have none. */
  #startCall(): Context {
    const { target, metadata } = this.#received
    const operation = findEndpoint(target.endpoint)?.genAiOperation
    if (operation === undefined) return this.#requestContext
    const attributes = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': providerNameOf(new URL(this.#received.account.origin).hostname),
      'gen_ai.request.model': metadata.model ?? undefined,
      'gen_ai.request.stream': metadata.isStream || undefined,
      ...this.#server(),
    }
    const name = metadata.model === null ? operation : `${operation} ${metadata.model}`
    this.#call ??= this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, this.#requestContext)
    return trace.setSpan(this.#requestContext, this.#call)
  }

  #server(): Attributes {
    const { hostname, port, protocol } = new URL(this.#received.account.origin)
    return {
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    }
  }
}

/** Routes instead of paths, whose ids would create countless names. */
const spanName = ({ request, target }: ReceivedRequest) => {
  const route = findEndpoint(target.endpoint)?.path
  return route === undefined ? (request.method ?? 'HTTP') : `${request.method} ${route}`
}

const requestAttributes = ({ id, request, target, account, clientAddress }: ReceivedRequest): Attributes => ({
  'http.request.method': request.method,
  'http.route': findEndpoint(target.endpoint)?.path,
  'url.path': target.endpoint,
  'url.scheme': 'encrypted' in request.socket ? 'https' : 'http',
  'network.protocol.version': request.httpVersion,
  'user_agent.original': request.headers['user-agent'],
  'client.address': account.logClientAddress ? clientAddress : undefined,
  'sallyport.request_id': id,
})

const usageAttributes = (event: RequestEvent): Attributes => ({
  'gen_ai.response.model': event.model ?? undefined,
  'gen_ai.usage.input_tokens': event.promptTokens ?? undefined,
  'gen_ai.usage.output_tokens': event.completionTokens ?? undefined,
  'gen_ai.usage.cache_read.input_tokens': event.cachedTokens ?? undefined,
})

const resultAttributes = (event: RequestEvent): Attributes => ({
  'http.response.status_code': event.status || undefined,
  'sallyport.outcome': event.outcome,
  'sallyport.attempts': event.attempts,
  'sallyport.cache': event.cacheStatus ?? undefined,
  'sallyport.cost_usd': event.costNanoUsd === null ? undefined : event.costNanoUsd / nanoUsdPerUsd,
  'sallyport.overhead_seconds': event.overheadUs === null ? undefined : event.overheadUs / 1e6,
})

function fail(span: Span, type: string, message?: string | null): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR, message: message ?? undefined })
}

/** `gen_ai.provider.name` by the host's domain. Source: OpenTelemetry's semantic conventions for generative AI. */
const providers: readonly (readonly [domain: string, name: string])[] = [
  ['openai.com', 'openai'],
  ['openai.azure.com', 'azure.ai.openai'],
  ['services.ai.azure.com', 'azure.ai.inference'],
  ['anthropic.com', 'anthropic'],
  ['generativelanguage.googleapis.com', 'gcp.gemini'],
  ['aiplatform.googleapis.com', 'gcp.vertex_ai'],
  ['amazonaws.com', 'aws.bedrock'],
  ['cohere.com', 'cohere'],
  ['cohere.ai', 'cohere'],
  ['deepseek.com', 'deepseek'],
  ['groq.com', 'groq'],
  ['mistral.ai', 'mistral_ai'],
  ['perplexity.ai', 'perplexity'],
  ['x.ai', 'x_ai'],
]

/** The provider of a host. Unknown ones speak the API of `openai`, which the conventions then prescribe as the name. */
const providerNameOf = (host: string): string =>
  providers.find(([domain]) => host === domain || host.endsWith(`.${domain}`))?.[1] ?? 'openai'
