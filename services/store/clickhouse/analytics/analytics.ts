import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { keysOf } from '#core/records.ts'
import { isoTime } from '#core/period.ts'
import { day, hour, minute } from '#core/units.ts'
import {
  type Analytics,
  type AnalyticsGroups,
  type AnalyticsPart,
  type AnalyticsStep,
  type GroupBy,
  type Measures,
  partsListed,
} from '#schemas/analytics.ts'
import type { RequestLogFilters } from '#schemas/request-logs.ts'
import { chartedGroups, createGroupQueries, type GroupSums, type GroupTimes } from './analytics-groups.ts'
import { createAnalyticsQueries, type PartRow } from './analytics-queries.ts'
import { hasFilters, needsRows, orNull, type Source } from './analytics-source.ts'
import { byCalendar, type SpanRow, toMeasures, toTotals } from './analytics-sums.ts'
import { bandEnd, bucketMs, type Histogram, percentile, toBands } from './histogram.ts'
import { countableRange, keptFrom, quarter, type TimeSpan } from '../range-pieces.ts'
import type { UsageSums } from '../usage-sums.ts'

/** A chart uses the finest step that gives at most this many points. */
const maxPoints = 200
const steps = {
  '1m': minute,
  '5m': 5 * minute,
  '15m': quarter,
  '1h': hour,
  '6h': 6 * hour,
  '1d': day,
} satisfies Record<AnalyticsStep, number>

/** Minute rollups serve short, recent ranges. */
const longestMinuteRange = 6 * hour
export const minuteRetentionDays = 8

/** Upper ends of the heatmap's bands, ms. */
const bands = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000].map(bandEnd)

export interface AnalyticsRange extends TimeSpan {
  timezone: string
  filters: RequestLogFilters
}

type MeasuredAnalytics = Omit<Analytics, 'completeUntil'>
type MeasuredGroups = Omit<AnalyticsGroups, 'completeUntil'>

export type AnalyticsStore = ReturnType<typeof createAnalyticsStore>

interface AnalyticsStoreOptions {
  logRetentionDays: number
  rollupRetentionDays: number
  now?: () => number
}

/** Reads rollups, and rows for the ends of a range and for filters and groups that rollups lack. */
export const createAnalyticsStore = (clickhouse: ClickHouseClient, options: AnalyticsStoreOptions) => {
  const { logRetentionDays, rollupRetentionDays, now = Date.now } = options
  const queries = createAnalyticsQueries(clickhouse)
  const groupQueries = createGroupQueries(clickhouse)

  /** Start of the time whose requests are all stored, ms since 1970. */
  const availableFrom = (readsRows: boolean) => keptFrom(now(), readsRows ? logRetentionDays : rollupRetentionDays)

  /** Limits the range to data that is still stored, and to whole buckets where only rollups are left. */
  function sourceOf(accountId: string, range: AnalyticsRange, readsRows: boolean): Source {
    const rowsFrom = availableFrom(true)
    const start = Math.max(range.from, Math.min(availableFrom(readsRows), range.to - 1))
    const { from, to } = countableRange(start, range.to, rowsFrom)
    const before = Math.max(0, from - (to - from))
    const isStored = (asRows: boolean) => before >= availableFrom(asRows)
    const previousFrom = isStored(readsRows) ? countableRange(before, from, rowsFrom).from : from
    const previousRowsFrom = isStored(true) ? previousFrom : from
    const isFine = to - from <= longestMinuteRange && from > now() - (minuteRetentionDays - 1) * day
    return { accountId, ...range, from, to, previousFrom, previousRowsFrom, rowsFrom, isFine, readsRows }
  }

  async function overview(source: Source, step: AnalyticsStep) {
    const [sums, parts, times] = await Promise.all([
      queries.sums(source, step),
      queries.parts(source, partsListed),
      queries.times(source, step),
    ])
    const histograms = new Map(times.map((row) => [[row.dimension, row.value, row.at].join(' '), row.times]))
    const timesOf = (dimension: string, value: string, at: number) =>
      histograms.get([dimension, value, at].join(' ')) ?? {}
    const toSpan = (row: UsageSums & { at: number }): SpanRow => ({
      ...row,
      responseTimes: timesOf('all', '', row.at),
      firstByteTimes: timesOf('first_byte', '', row.at),
    })
    const partsOf = (dimension: PartRow['dimension']) =>
      parts.filter((row) => row.dimension === dimension).map((row) => toPart(row, timesOf(dimension, row.value, 0)))
    const previous = sums.filter((row) => row.isPrevious && row.by === 'at')
    const within = sums.filter((row) => !row.isPrevious)
    const series = within.filter((row) => row.by === 'at').map(toSpan)
    return {
      totals: toMeasures(series),
      previous: toMeasures(previous.map(toSpan)),
      series: series.map((row) => ({ at: isoTime(row.at * 1_000), ...toMeasures([row]) })),
      ...byCalendar(
        within.filter((row) => row.by === 'date'),
        within.filter((row) => row.by === 'hour'),
      ),
      heatmap: {
        at: series.map((row) => isoTime(row.at * 1_000)),
        bounds: bands,
        counts: series.map((row) => toBands(row.responseTimes, bands)),
      },
      routes: partsOf('route'),
      models: partsOf('model'),
      statuses: partsOf('status'),
      tokens: partsOf('token'),
      keys: partsOf('key'),
    }
  }

  /** @param timesReadRows whether histograms of rollups lack the filters or the group */
  const describe = ({ from, to, timezone, readsRows }: Source, step: AnalyticsStep, timesReadRows: boolean) => ({
    from: isoTime(from),
    to: isoTime(to),
    timezone,
    step,
    availableFrom: isoTime(availableFrom(readsRows)),
    timesAvailableFrom: isoTime(availableFrom(timesReadRows)),
    source: readsRows ? ('rows' as const) : ('rollups' as const),
  })

  return {
    async read(accountId: string, range: AnalyticsRange): Promise<MeasuredAnalytics> {
      const source = sourceOf(accountId, range, needsRows(range))
      const step = stepFor(source)
      return { ...describe(source, step, hasFilters(source)), ...(await overview(source, step)) }
    },

    async readGroups(accountId: string, range: AnalyticsRange, groupBy: GroupBy): Promise<MeasuredGroups> {
      const group = await groupQueries.groupOf(accountId, range, groupBy)
      const source = sourceOf(accountId, range, needsRows(range) || group.isRow === true)
      const step = stepFor(source)
      const top = await groupQueries.top(source, group)
      const { sums, times } = await groupQueries.measures(source, group, top, step)
      const timesOf = new Map(times.map((row) => [`${row.place} ${row.at}`, row]))
      const measure = (row: GroupSums) => toGroupMeasures(row, timesOf.get(`${row.place} ${row.at}`))
      const seriesOf = (place: number) =>
        sums.flatMap((row) =>
          row.place === place && row.at !== null ? [{ at: isoTime(row.at * 1_000), ...measure(row) }] : [],
        )
      const totals = sums.filter(({ at }) => at === null).toSorted((one, other) => one.place - other.place)
      const others = totals.find(({ place }) => place === 0)
      return {
        ...describe(source, step, hasFilters(source) || !(group.dimension ?? group.failures)),
        groupBy,
        groups: totals
          .filter(({ place }) => place > 0)
          .map((row) => ({
            value: orNull(top[row.place - 1]),
            ...measure(row),
            series: row.place <= chartedGroups ? seriesOf(row.place) : null,
          })),
        others: others ? measure(others) : null,
        otherSeries: seriesOf(0),
      }
    },
  }
}

function stepFor({ from, to, isFine }: Source): AnalyticsStep {
  const usable = keysOf(steps).filter((name) => isFine || steps[name] >= quarter)
  return usable.find((name) => (to - from) / steps[name] <= maxPoints) ?? '1d'
}

const toPart = (row: PartRow, times: Histogram): AnalyticsPart => ({
  value: orNull(row.value),
  ...toTotals([row]),
  p95: percentile(times, 0.95),
})

const toGroupMeasures = (row: GroupSums, times?: GroupTimes): Measures => {
  const [p50 = null, p95 = null, p99 = null] = (times?.keys ?? []).map(keyMs)
  const [firstByteP50 = null, firstByteP95 = null, firstByteP99 = null] = (times?.firstByteKeys ?? []).map(keyMs)
  return { ...toTotals([row]), p50, p95, p99, firstByteP50, firstByteP95, firstByteP99 }
}

const keyMs = (key: number) => Math.round(bucketMs(key))
