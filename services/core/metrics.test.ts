import Fastify from 'fastify'
import { findFreePort } from '#tools/process/free-port.ts'
import { expect, test } from 'vitest'
import { leaveSlowRequest } from './http/left-request.fixture.ts'
import { createMetrics, measureRequests, readMetrics, serveMetrics } from './metrics.ts'

test('requests are counted by route pattern, not by URL', async () => {
  const registry = createMetrics()
  const app = Fastify()
  measureRequests(app, registry)
  app.get('/things/:id', async () => 'ok')
  await app.inject('/things/1')
  await app.inject('/things/2')
  await app.inject('/nothing-here')
  const text = await registry.metrics()
  expect(text).toContain(
    'sallyport_http_request_duration_seconds_count{method="GET",route="/things/:id",status="200"} 2',
  )
  expect(text).toContain('{method="GET",route="unmatched",status="404"} 1')
  expect(text).not.toContain('nothing-here')
})

test('a request whose client leaves is counted as aborted', async () => {
  const registry = createMetrics()
  const app = Fastify()
  measureRequests(app, registry)
  const endServer = await leaveSlowRequest(app)
  await expect.poll(() => registry.metrics()).toContain('_count{method="GET",route="/slow",status="aborted"} 1')
  await endServer()
})

test('metrics are served on a port of their own; a port in use is an error', async () => {
  const port = await findFreePort()
  const serve = () => serveMetrics(() => readMetrics(createMetrics()), { host: '127.0.0.1', port })
  const stop = await serve()
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(response.headers.get('content-type')).toContain('text/plain')
  expect(await response.text()).toContain('process_cpu_seconds_total')
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  await expect(serve()).rejects.toThrow('EADDRINUSE')
  await stop()
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
})
