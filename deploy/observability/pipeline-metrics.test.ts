import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { Pipeline } from '#schemas/pipeline.ts'
import { registerPipelineMetrics } from './pipeline-metrics.ts'

const proxy: Pipeline['proxies'][number] = {
  id: '0198c1f0-0000-7000-8000-000000000001',
  host: 'proxy-0',
  pid: 1,
  at: '2026-11-20T12:00:00.000Z',
  accepted: 100,
  spooledEvents: 5,
  spooledBytes: 900,
  fullness: 0.85,
  shippedUntil: '2026-11-20T11:59:00.000Z',
  isSilent: true,
}
const pipeline: Pipeline = {
  at: '2026-11-20T12:00:00.000Z',
  accepted: 100,
  stored: 80,
  queued: 10,
  spooled: 5,
  dead: 3,
  droppedDead: 2,
  difference: 0,
  queuedBatches: 4,
  oldestWaitingAt: '2026-11-20T11:59:15.000Z',
  completeUntil: '2026-11-20T11:59:00.000Z',
  ingestLagP50Ms: 400,
  ingestLagP95Ms: null,
  parts: 12,
  proxies: [proxy],
  workers: [],
  range: null,
}

test('Prometheus is told where the events are, how long they wait and how full the spools are', async () => {
  const registry = new Registry()
  registerPipelineMetrics(registry, { read: async () => pipeline })
  const lines = (await registry.metrics()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'sallyport_pipeline_up 1',
      'sallyport_pipeline_events{state="dead"} 3',
      'sallyport_pipeline_oldest_waiting_seconds 45',
      'sallyport_pipeline_ingest_lag_seconds{quantile="0.5"} 0.4',
      `sallyport_spool_fullness{proxy="${proxy.id}",host="proxy-0"} 0.85`,
      'sallyport_pipeline_silent_processes{role="proxy"} 1',
    ]),
  )
  expect(lines.join('\n')).not.toContain('quantile="0.95"')
})

test('what is not known any more is not told', async () => {
  const registry = new Registry()
  const answers = [pipeline, { ...pipeline, proxies: [] }]
  registerPipelineMetrics(registry, { read: async () => answers.shift() ?? Promise.reject(new Error('away')) })
  const samples = async () => (await registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#'))
  expect((await samples()).join()).toContain('proxy-0')
  expect((await samples()).join()).not.toContain('proxy-0')
  expect(await samples()).toEqual(['sallyport_pipeline_up 0'])
})
