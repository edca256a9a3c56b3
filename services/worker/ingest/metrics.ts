import { Counter, Histogram, type Registry } from 'prom-client'
import { cachedFor } from '#core/cached-for.ts'
import { addScraped, type Sample } from '#core/metrics.ts'
import { second } from '#core/units.ts'
import type { Pipeline } from '#schemas/pipeline.ts'
import type { PipelineStore } from '#store/clickhouse/pipeline.ts'
import type { InsertResult } from './report.ts'

const freshMs = 5 * second

interface PipelineMetric extends Omit<Parameters<typeof addScraped>[1], 'read'> {
  samples(state: Pipeline): Sample[]
}

const byState = (states: Record<string, number | null>): Sample[] =>
  Object.entries(states).map(([state, value]) => [{ state }, value])

const pipelineMetrics: PipelineMetric[] = [
  {
    name: 'sallyport_pipeline_requests_total',
    help: 'Accepted requests, and those whose log is stored, was dropped, or was on a lost disk.',
    Type: Counter,
    labelNames: ['state'],
    samples: ({ accepted, stored, droppedDead, writtenOff }) =>
      byState({ accepted, stored, dropped: droppedDead, written_off: writtenOff }),
  },
  {
    name: 'sallyport_pipeline_events',
    help: 'Events that are not stored yet, by the place where they wait.',
    labelNames: ['state'],
    samples: ({ queued, spooled, dead }) => byState({ queued, spooled, dead }),
  },
  {
    name: 'sallyport_pipeline_reconciled',
    help: 'Sum of the differences that operators have reconciled.',
    samples: ({ reconciled }) => [[{}, reconciled]],
  },
  {
    name: 'sallyport_pipeline_difference',
    help: 'Accepted requests minus those that are stored, waiting or reconciled; below 0 while some are in transit.',
    samples: ({ difference }) => [[{}, difference]],
  },
  {
    name: 'sallyport_pipeline_oldest_waiting_seconds',
    help: 'Age of the oldest event that is not stored.',
    samples: ({ oldestWaitingAt }) => [
      [{}, oldestWaitingAt === null ? 0 : (Date.now() - Date.parse(oldestWaitingAt)) / second],
    ],
  },
  {
    name: 'sallyport_pipeline_ingest_lag_seconds',
    help: 'Time from the end of a request until its log is stored, over the last 15 minutes.',
    labelNames: ['quantile'],
    samples: ({ ingestLagP50Ms, ingestLagP95Ms }) => [
      [{ quantile: '0.5' }, (ingestLagP50Ms ?? 0) / second],
      [{ quantile: '0.95' }, (ingestLagP95Ms ?? 0) / second],
    ],
  },
  {
    name: 'sallyport_clickhouse_parts',
    help: 'Active ClickHouse parts of all tables.',
    samples: ({ parts }) => [[{}, parts]],
  },
]

/**
 * Metrics of the whole pipeline, read at scrapes but at most every few seconds. If the pipeline can't be read, there
 * are no values, so that no alert depends on stale ones.
 */
export function addPipelineMetrics(registry: Registry, pipeline: Pick<PipelineStore, 'read'>): void {
  const read = cachedFor(freshMs, () => pipeline.read().catch(() => undefined))
  for (const { samples, ...metric } of pipelineMetrics) {
    addScraped(registry, {
      ...metric,
      async read() {
        const state = await read()
        return state ? samples(state) : []
      },
    })
  }
}

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
