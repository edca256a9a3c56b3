import { Registry } from 'prom-client'
import { expect, onTestFinished, test, vi } from 'vitest'
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
  expect(text).toContain('# TYPE sallyport_pipeline_requests_total counter')
  expect(text).toContain('sallyport_pipeline_requests_total{state="stored"} 7')
  expect(text).toContain('sallyport_pipeline_events{state="queued"} 2')
  expect(text).toContain('sallyport_pipeline_ingest_lag_seconds{quantile="0.95"} 0.9')
  expect(text).toContain('sallyport_pipeline_difference 0')
  expect(reads).toBe(1)
})

test('while the pipeline can not be read there are no stale values', async () => {
  const registry = new Registry()
  let isAway = false
  addPipelineMetrics(registry, { read: async () => (isAway ? Promise.reject(new Error('away')) : state) })
  const values = async () => (await registry.metrics()).match(/^sallyport_.*/gm)
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await values()).toHaveLength(13)
  isAway = true
  vi.advanceTimersByTime(10_000)
  expect(await values()).toBeNull()
})
