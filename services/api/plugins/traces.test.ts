import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { leaveSlowRequest } from '#core/http/left-request.fixture.ts'
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
  const endServer = await leaveSlowRequest(app)
  await expect.poll(spans).toHaveLength(1)
  expect(spans()[0]!.attributes).toMatchObject({ 'http.route': '/slow' })
  expect(spans()[0]!.attributes).not.toHaveProperty('http.response.status_code')
  await endServer()
})
