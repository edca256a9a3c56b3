import { SpanKind, SpanStatusCode, type Span, type Tracer } from '@opentelemetry/api'
import fp from 'fastify-plugin'
import { readTraceContext } from '#core/tracing.ts'

const spanKey = Symbol('span')
declare module 'fastify' {
  interface FastifyRequest {
    [spanKey]?: Span
  }
}

/** Adds a span per request, by OpenTelemetry's semantic conventions for HTTP. */
export const traces = fp<{ tracer: Tracer }>(async (app, { tracer }) => {
  app.addHook('onRequest', async (request) => {
    const { method, url, protocol, headers, routeOptions } = request
    const route = routeOptions.url
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'url.path': url.split('?', 1)[0],
      'url.scheme': protocol,
      'user_agent.original': headers['user-agent'],
      'sallyport.request_id': request.id,
    }
    const name = route === undefined ? method : `${method} ${route}`
    request[spanKey] = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, readTraceContext(headers))
  })
  app.addHook('onResponse', async (request, { statusCode }) => {
    const span = request[spanKey]
    span?.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500)
      span?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(statusCode))
    span?.end()
  })
})
