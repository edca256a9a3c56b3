import { Gauge, type Registry } from 'prom-client'
import type { Pipeline } from '#schemas/pipeline.ts'
import { second } from '#core/units.ts'

/** What is known of the pipeline; the store of that name. */
interface PipelineReader {
  read(): Promise<Pipeline>
}

interface Sample {
  labels?: Record<string, string>
  value: number
}

interface Gauged<State> {
  name: string
  help: string
  labelNames?: string[]
  samples(state: State): Sample[]
}

/** What ClickHouse would have to tell is missing while it is away. */
const known = (value: number | null, labels?: Record<string, string>): Sample[] =>
  value === null ? [] : [{ labels, value }]

const gauges: Gauged<Pipeline>[] = [
  {
    name: 'sallyport_pipeline_events',
    help: 'Events by where they are; accepted = stored + queued + spooled + dead + dropped.',
    labelNames: ['state'],
    samples({ accepted, stored, queued, spooled, dead, droppedDead }) {
      const states = { accepted, stored, queued, spooled, dead, dropped: droppedDead }
      return Object.entries(states).flatMap(([state, value]) => known(value, { state }))
    },
  },
  {
    name: 'sallyport_pipeline_difference',
    help: 'Accepted events that are nowhere; it swings around 0 while events are on their way.',
    samples: ({ difference }) => known(difference),
  },
  {
    name: 'sallyport_pipeline_queued_batches',
    help: 'Batches that wait in the queue.',
    samples: ({ queuedBatches }) => [{ value: queuedBatches }],
  },
  {
    name: 'sallyport_pipeline_oldest_waiting_seconds',
    help: 'Age of the oldest event that is not stored.',
    samples: ({ at, oldestWaitingAt }) => [
      { value: oldestWaitingAt === null ? 0 : Math.max(0, Date.parse(at) - Date.parse(oldestWaitingAt)) / second },
    ],
  },
  {
    name: 'sallyport_pipeline_ingest_lag_seconds',
    help: 'From the end of a request to its log, over the last minutes.',
    labelNames: ['quantile'],
    samples: ({ ingestLagP50Ms, ingestLagP95Ms }) => quantiles(ingestLagP50Ms, ingestLagP95Ms),
  },
  {
    name: 'sallyport_pipeline_clickhouse_parts',
    help: 'Active parts in ClickHouse.',
    samples: ({ parts }) => known(parts),
  },
  {
    name: 'sallyport_pipeline_silent_processes',
    help: 'Proxies and workers that have said nothing for a while.',
    labelNames: ['role'],
    samples: ({ proxies, workers }) =>
      Object.entries({ proxy: proxies, worker: workers }).map(([role, processes]) => ({
        labels: { role },
        value: processes.filter(({ isSilent }) => isSilent).length,
      })),
  },
  {
    name: 'sallyport_spool_fullness',
    help: 'Used part of the room of a spool, 0 to 1.',
    labelNames: ['proxy', 'host'],
    samples: ({ proxies }) =>
      proxies.map(({ id, host, fullness }) => ({ labels: { proxy: id, host }, value: fullness })),
  },
  {
    name: 'sallyport_spool_bytes',
    help: 'Bytes in a spool.',
    labelNames: ['proxy', 'host'],
    samples: ({ proxies }) =>
      proxies.map(({ id, host, spooledBytes }) => ({ labels: { proxy: id, host }, value: spooledBytes })),
  },
  {
    name: 'sallyport_worker_insert_seconds',
    help: 'Time of an insert into ClickHouse.',
    labelNames: ['worker', 'quantile'],
    samples: ({ workers }) =>
      workers.flatMap(({ id, insertP50Ms, insertP95Ms }) =>
        quantiles(insertP50Ms, insertP95Ms).map(({ labels, value }) => ({ labels: { worker: id, ...labels }, value })),
      ),
  },
]

/** The pipeline is read once a scrape. While it can't be, `sallyport_pipeline_up` is 0 and nothing else is told. */
export function registerPipelineMetrics(registry: Registry, pipeline: PipelineReader): void {
  let reading: Promise<Pipeline | undefined> | undefined
  const read = () =>
    (reading ??= pipeline
      .read()
      .catch(() => undefined)
      .finally(() => (reading = undefined)))

  add({
    name: 'sallyport_pipeline_up',
    help: 'Whether queue and ClickHouse could be read.',
    samples: (state) => [{ value: state ? 1 : 0 }],
  })
  for (const { samples, ...gauge } of gauges) add({ ...gauge, samples: (state) => (state ? samples(state) : []) })

  function add({ samples, labelNames = [], ...names }: Gauged<Pipeline | undefined>): void {
    const gauge = new Gauge({
      ...names,
      labelNames,
      registers: [],
      async collect() {
        const found = samples(await read())
        // What is gone, such as a proxy, must not be told of with its last value.
        if (labelNames.length > 0) this.reset()
        else this.remove()
        for (const { labels = {}, value } of found) this.set(labels, value)
      },
    })
    registry.registerMetric(gauge)
  }
}

const quantiles = (p50Ms: number | null, p95Ms: number | null): Sample[] =>
  Object.entries({ '0.5': p50Ms, '0.95': p95Ms }).flatMap(([quantile, ms]) =>
    ms === null ? [] : [{ labels: { quantile }, value: ms / second }],
  )
