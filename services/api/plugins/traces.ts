import { SpanKind, SpanStatusCode, type Span, type Tracer } from '@opentelemetry/api'
import fp from 'fastify-plugin'
import { readTraceContext } from '#core/tracing.ts'

/** Adds a span per request, by OpenTelemetry's semantic conventions for HTTP. */
export const traces = fp<{ tracer: Tracer }>(async (app, { tracer }) => {
  app.addHook('onRequest', async (request, reply) => {
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
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, readTraceContext(headers))
    // Fastify's `onResponse` is not called for clients that leave.
    reply.raw.once('close', () => {
      if (reply.raw.headersSent) setStatus(span, reply.statusCode)
      span.end()
    })
  })
})

function setStatus(span: Span, statusCode: number): void {
  span.setAttribute('http.response.status_code', statusCode)
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(statusCode))
}
