import { Problem } from '#core/problem.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { isoTime } from '#core/period.ts'
import { minute, second } from '#core/units.ts'
import type { Pipeline, ProxyReport } from '#schemas/pipeline.ts'
import { selectRow } from './clickhouse-rows.ts'
import { type Histogram, percentile } from './analytics/histogram.ts'
import { createProcessReports } from '../redis/process-reports.ts'
import { createQueueState } from '../redis/queue-state.ts'

/** Number of minutes over which the ingest lag is measured. */
const lagMinutes = 15

const firstTime = '1970-01-01T00:00:00.000Z'

/** In UTC with milliseconds, so that they compare as text. */
interface IngestRange {
  from: string
  to: string
}

export type PipelineStore = ReturnType<typeof createPipelineStore>

function ingestWatermark(proxies: readonly ProxyReport[], oldestQueuedAt: number | undefined): string {
  const times = proxies.map((proxy) => Math.min(Date.parse(proxy.shippedUntil), Date.parse(proxy.at)))
  return isoTime(Math.min(Date.now(), oldestQueuedAt ?? Number.POSITIVE_INFINITY, ...times))
}

/** Delivery counters: accepted = stored + queued + spooled + dead + written off by operators. */
export const createPipelineStore = (clickhouse: ClickHouseClient, shards: QueueShards) => {
  const [first] = shards
  const keys = pipelineKeys(first)
  const reports = createProcessReports(first)
  const queueState = createQueueState(shards)

  const ingested = (range: IngestRange) =>
    selectRow<{ stored: number; lags: Histogram }>(
      clickhouse,
      `SELECT sum(events) AS stored, sumMap(lag_histogram) AS lags FROM ingest_minute
        WHERE bucket >= toStartOfMinute(parseDateTime64BestEffort({from: String}, 3, 'UTC'))
          AND bucket < parseDateTime64BestEffort({to: String}, 3, 'UTC')`,
      { ...range },
    )

  const countParts = () =>
    selectRow<{ parts: number }>(
      clickhouse,
      'SELECT count() AS parts FROM system.parts WHERE active AND database = currentDatabase()',
    )

  return {
    /** The ingest watermark: every request that ended before this time is stored. */
    async ingestWatermark(): Promise<string> {
      // In this order, a batch that moves from a spool to the queue in between is seen at least once.
      const proxies = await reports.proxies()
      return ingestWatermark(proxies, await queueState.oldestAt())
    },

    /** @throws Problem `unavailable` while a Redis of the queue is not connected */
    async read(range?: IngestRange): Promise<Pipeline> {
      if (shards.some((shard) => shard.redis.status !== 'ready')) throw new Problem('unavailable')
      const until = isoTime(Date.now() + second)
      const recent = { from: isoTime(Date.now() - lagMinutes * minute), to: until }
      // In the opposite direction of the events: one that moves meanwhile counts twice, and is never missed.
      const accepted = await first.redis.hvals(keys.accepted)
      const [proxies, writtenOffProxies, workers, dropped, reconciled] = await Promise.all([
        reports.proxies(),
        reports.writtenOff(),
        reports.workers(),
        first.redis.get(keys.dropped),
        first.redis.get(keys.reconciled),
      ])
      const queue = await queueState.read()
      const [all, lately, inRange, parts] = await Promise.all([
        orUndefined(ingested({ from: firstTime, to: until })),
        orUndefined(ingested(recent)),
        range && orUndefined(ingested(range)),
        orUndefined(countParts()),
      ])
      const complete = ingestWatermark(proxies, queue.oldestAt)
      const sums = {
        accepted: accepted.reduce((sum, value) => sum + Number(value), 0),
        stored: all?.stored ?? null,
        queued: queue.events,
        spooled: proxies.reduce((sum, proxy) => sum + proxy.spooledEvents, 0),
        dead: queue.dead,
        droppedDead: Number(dropped ?? 0),
        writtenOff: writtenOffProxies.reduce((sum, { events }) => sum + events, 0),
        reconciled: Number(reconciled ?? 0),
      }
      const known = sums.queued + sums.spooled + sums.dead + sums.droppedDead + sums.writtenOff + sums.reconciled
      const oldest = Math.min(queue.oldestAt ?? Number.POSITIVE_INFINITY, ...oldestInSpools(proxies))
      return {
        at: new Date().toISOString(),
        ...sums,
        difference: sums.stored === null ? null : sums.accepted - sums.stored - known,
        queuedBatches: queue.batches,
        oldestWaitingAt: Number.isFinite(oldest) ? isoTime(oldest) : null,
        completeUntil: complete,
        ingestLagP50Ms: percentile(lately?.lags ?? {}, 0.5),
        ingestLagP95Ms: percentile(lately?.lags ?? {}, 0.95),
        parts: parts?.parts ?? null,
        proxies,
        writtenOffProxies,
        workers,
        range: range
          ? {
              ...range,
              storedEvents: inRange?.stored ?? null,
              ingestLagP95Ms: percentile(inRange?.lags ?? {}, 0.95),
              isComplete: complete >= range.to,
            }
          : null,
      }
    },
  }
}

/** A proxy that has shipped less than it reports still holds events. */
const oldestInSpools = (proxies: readonly ProxyReport[]) =>
  proxies.filter((proxy) => proxy.shippedUntil < proxy.at).map((proxy) => Date.parse(proxy.shippedUntil))

/** Without ClickHouse, the rest of the report is still available. */
const orUndefined = <Result>(reading: Promise<Result>): Promise<Result | undefined> => reading.catch(() => undefined)
