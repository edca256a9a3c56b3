import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { Pipeline } from '#schemas/pipeline.ts'
import { addPipelineMetrics } from './metrics.ts'

const state = {
  accepted: 10,
  stored: 7,
  queued: 2,
  spooled: 1,
  dead: 0,
  droppedDead: 0,
  writtenOff: 0,
  reconciled: 0,
  difference: 0,
  oldestWaitingAt: null,
  ingestLagP50Ms: 400,
  ingestLagP95Ms: 900,
  parts: 12,
} as Pipeline

test('all values come from one read', async () => {
  const registry = new Registry()
  let reads = 0
  addPipelineMetrics(registry, { read: async () => ((reads += 1), state) })
  const text = await registry.metrics()
  expect(text).toContain('sallyport_pipeline_events{state="stored"} 7')
  expect(text).toContain('sallyport_pipeline_ingest_lag_seconds{quantile="0.95"} 0.9')
  expect(text).toContain('sallyport_pipeline_difference 0')
  expect(reads).toBe(1)
})

test('while the pipeline can not be read there are no stale values', async () => {
  const registry = new Registry()
  addPipelineMetrics(registry, { read: () => Promise.reject(new Error('away')) })
  expect(await registry.metrics()).not.toMatch(/^sallyport_pipeline_(?:events|ingest_lag_seconds)\{/m)
})
