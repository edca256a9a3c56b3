import Fastify from 'fastify'
import { findFreePort } from '#tools/process/free-port.ts'
import { expect, test } from 'vitest'
import { createMetrics, measureRequests, serveMetrics } from './metrics.ts'

test('requests are counted by route pattern, not by address', async () => {
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

test('metrics are served at one address of a port of their own', async () => {
  const port = await findFreePort()
  const stop = await serveMetrics(() => createMetrics().metrics(), { host: '127.0.0.1', port })
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(await answer.text()).toContain('process_cpu_seconds_total')
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  await stop()
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
})

test('a taken port is an error', async () => {
  const port = await findFreePort()
  const stop = await serveMetrics(() => createMetrics().metrics(), { host: '127.0.0.1', port })
  await expect(serveMetrics(() => createMetrics().metrics(), { host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE')
  await stop()
})
