import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { addSpoolMetrics } from './metrics.ts'

test('accepted requests are a counter that holds the total of the spool at each scrape', async () => {
  const registry = new Registry()
  const spool = { bytes: 1_000, fullness: 0.1, events: 2, accepted: 5 }
  addSpoolMetrics(registry, spool)
  await registry.metrics()
  spool.accepted = 7
  const text = await registry.metrics()
  expect(text).toContain('# TYPE sallyport_spool_accepted_requests_total counter')
  expect(text).toContain('sallyport_spool_accepted_requests_total 7')
  expect(text).toContain('sallyport_spool_fullness_ratio 0.1')
})
