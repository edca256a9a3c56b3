import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { addProcessMetrics } from './metrics.ts'
import { Readiness } from './readiness.ts'

test('connections, the drain and what a process needs are metrics', async () => {
  const registry = new Registry()
  const readiness = new Readiness()
  const connections = { count: 3 }
  addProcessMetrics(registry, connections, readiness)
  readiness.add('postgres', async () => 1)
  readiness.add('clickhouse', () => Promise.reject(new Error('connect ECONNREFUSED')))
  const text = await registry.metrics()
  expect(text).toContain('sallyport_http_connections 3')
  expect(text).toContain('sallyport_draining 0')
  expect(text).toContain('sallyport_need_up{need="postgres"} 1')
  expect(text).toContain('sallyport_need_up{need="clickhouse"} 0')
  readiness.isDraining = true
  expect(await registry.metrics()).toContain('sallyport_draining 1')
})
