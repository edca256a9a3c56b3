import { Registry } from 'prom-client'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Pipeline } from '#schemas/pipeline.ts'
import { addPipelineMetrics, createInsertMetrics } from './metrics.ts'

const state = {
  accepted: 28,
  stored: 7,
  queued: 2,
  spooled: 1,
  dead: 3,
  droppedDead: 4,
  writtenOff: 5,
  reconciled: 6,
  difference: 0,
  oldestWaitingAt: '2026-11-20T12:00:00.000Z',
  ingestLagP50Ms: 400,
  ingestLagP95Ms: 900,
  parts: 12,
} as Pipeline

test('all values come from one read', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T12:01:30.000Z') })
  onTestFinished(() => void vi.useRealTimers())
  const registry = new Registry()
  let reads = 0
  addPipelineMetrics(registry, { read: async () => ((reads += 1), state) })
  const text = await registry.metrics()
  expect(text).toContain('# TYPE sallyport_pipeline_requests_total counter')
  expect(text.match(/(?<=^sallyport_).*/gm)).toEqual([
    'pipeline_requests_total{state="accepted"} 28',
    'pipeline_requests_total{state="stored"} 7',
    'pipeline_requests_total{state="dropped"} 4',
    'pipeline_requests_total{state="written_off"} 5',
    'pipeline_events{state="queued"} 2',
    'pipeline_events{state="spooled"} 1',
    'pipeline_events{state="dead"} 3',
    'pipeline_reconciled 6',
    'pipeline_difference 0',
    'pipeline_oldest_waiting_seconds 90',
    'pipeline_ingest_lag_seconds{quantile="0.5"} 0.4',
    'pipeline_ingest_lag_seconds{quantile="0.95"} 0.9',
    'clickhouse_parts 12',
  ])
  expect(reads).toBe(1)
})

test('an insert that failed is counted as such, without its time and rows', async () => {
  const registry = new Registry()
  const count = createInsertMetrics(registry)
  count({ rows: 5, ms: 200 })
  count({ rows: 0, ms: 9_000, error: new Error('away') })
  const text = await registry.metrics()
  expect(text.match(/(?<=^sallyport_insert_)(?:duration_seconds_(?:sum|count)|rows_total|failures_total).*/gm)).toEqual(
    ['duration_seconds_sum 0.2', 'duration_seconds_count 1', 'rows_total 5', 'failures_total 1'],
  )
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
