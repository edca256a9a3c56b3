import { connect } from 'node:net'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { traces } from './traces.ts'

async function startServer() {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const app = Fastify()
  await app.register(traces, { tracer: provider.getTracer('test') })
  return { app, spans: () => exporter.getFinishedSpans() }
}

test('a request has a span with its route and status', async () => {
  const { app, spans } = await startServer()
  app.get('/things/:id', async (_request, reply) => reply.code(503).send())
  await app.inject('/things/1')
  await expect.poll(spans).toHaveLength(1)
  expect(spans()[0]).toMatchObject({
    name: 'GET /things/:id',
    attributes: { 'url.path': '/things/1', 'http.response.status_code': 503, 'error.type': '503' },
  })
})

test('the span of a request ends when its client leaves, without a status', async () => {
  const { app, spans } = await startServer()
  const query = Promise.withResolvers<string>()
  const started = Promise.withResolvers<void>()
  app.get('/slow', () => {
    started.resolve()
    return query.promise
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const client = connect(Number(port), '127.0.0.1')
  client.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await started.promise
  client.destroy()
  await expect.poll(spans).toHaveLength(1)
  expect(spans()[0]!.attributes).toMatchObject({ 'http.route': '/slow' })
  expect(spans()[0]!.attributes).not.toHaveProperty('http.response.status_code')
  query.resolve('')
  await app.close()
})
