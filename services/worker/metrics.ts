import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { second } from '#core/units.ts'
import type { PipelineStore } from '#store/pipeline.ts'
import type { InsertResult } from './report.ts'

const freshMs = 5 * second

/** The whole pipeline, looked up when somebody asks and at most every few seconds. */
export function addPipelineMetrics(registry: Registry, pipeline: Pick<PipelineStore, 'read'>): void {
  const registers = [registry]
  const difference = new Gauge({
    name: 'sallyport_pipeline_difference',
    help: 'accepted - stored - queued - spooled - dead; 0 whenever nothing is on its way.',
    registers,
  })
  const oldest = new Gauge({
    name: 'sallyport_pipeline_oldest_waiting_seconds',
    help: 'Age of the oldest event that is not stored.',
    registers,
  })
  const lag = new Gauge({
    name: 'sallyport_pipeline_ingest_lag_seconds',
    help: 'From the end of a request to its row, over the last 15 minutes.',
    labelNames: ['quantile'],
    registers,
  })
  const parts = new Gauge({ name: 'sallyport_clickhouse_parts', help: 'Active parts of all tables.', registers })
  let freshUntil = 0
  const events = new Gauge({
    name: 'sallyport_pipeline_events',
    help: 'Where every accepted request is.',
    labelNames: ['state'],
    registers,
    async collect() {
      if (performance.now() < freshUntil) return
      freshUntil = performance.now() + freshMs
      const state = await pipeline.read().catch(() => undefined)
      if (!state) return
      const { accepted, stored, queued, spooled, dead, droppedDead } = state
      for (const [name, value] of Object.entries({ accepted, stored, queued, spooled, dead, dropped: droppedDead }))
        if (value !== null) events.set({ state: name }, value)
      if (state.difference !== null) difference.set(state.difference)
      oldest.set(state.oldestWaitingAt ? (Date.now() - Date.parse(state.oldestWaitingAt)) / second : 0)
      lag.set({ quantile: '0.5' }, (state.ingestLagP50Ms ?? 0) / second)
      lag.set({ quantile: '0.95' }, (state.ingestLagP95Ms ?? 0) / second)
      if (state.parts !== null) parts.set(state.parts)
    },
  })
}

/** This worker's inserts. */
export function createInsertMetrics(registry: Registry): (result: InsertResult) => void {
  const registers = [registry]
  const duration = new Histogram({
    name: 'sallyport_insert_duration_seconds',
    help: 'Time of one insert into ClickHouse.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const rows = new Counter({ name: 'sallyport_insert_rows_total', help: 'Rows that were stored.', registers })
  const failures = new Counter({ name: 'sallyport_insert_failures_total', help: 'Inserts that failed.', registers })
  return ({ rows: count, ms, error }) => {
    if (error !== undefined) return failures.inc()
    duration.observe(ms / second)
    rows.inc(count)
  }
}
