import type { ClickHouseClient } from '#core/resources.ts'
import { keysOf } from '#core/records.ts'
import { day, hour, minute } from '#core/units.ts'
import type { Analytics, AnalyticsPart, AnalyticsStep } from '#schemas/analytics.ts'
import { noId } from '#schemas/log-names.ts'
import { createAnalyticsQueries, type PartRow, type Source } from './analytics-queries.ts'
import { byCalendar, type SpanRow, type SumRow, toMeasures, toTotals } from './analytics-sums.ts'
import { type Histogram, percentile, toBands } from './histogram.ts'

const quarter = 15 * minute

/** A chart has the finest step with at most this many points. */
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
const bands = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000]

const partsShown = 100

interface AnalyticsRange {
  /** ms since 1970; `to` is exclusive. */
  from: number
  to: number
  timezone: string
}

type MeasuredAnalytics = Omit<Analytics, 'availableFrom' | 'completeUntil'>

export type AnalyticsStore = ReturnType<typeof createAnalyticsStore>

/** Reads rollups only, so that the cost of a chart does not grow with the number of requests. */
export const createAnalyticsStore = (clickhouse: ClickHouseClient, { now = Date.now }: { now?: () => number } = {}) => {
  const queries = createAnalyticsQueries(clickhouse)

  /** Widens the range to whole buckets of its tables. */
  function sourceOf({ from, to, timezone }: AnalyticsRange): Source {
    const isFine = to - from <= longestMinuteRange && from > now() - (minuteRetentionDays - 1) * day
    const bucket = isFine ? minute : quarter
    return { isFine, timezone, from: Math.floor(from / bucket) * bucket, to: Math.ceil(to / bucket) * bucket }
  }

  async function spans(accountId: string, source: Source, step: AnalyticsStep) {
    const [sums, times] = await Promise.all([
      queries.sums(accountId, source, step),
      queries.times(accountId, source, step),
    ])
    const timesOf = (dimension: string) =>
      new Map(times.flatMap((row) => (row.dimension === dimension ? [[row.at, row.times]] : [])))
    const [responses, firstBytes] = [timesOf('all'), timesOf('first_byte')]
    const toSpan = (row: SumRow & { at: number }): SpanRow => ({
      ...row,
      responseTimes: responses.get(row.at) ?? {},
      firstBytes: firstBytes.get(row.at) ?? {},
    })
    const previous = sums.filter((row) => row.isBefore && row.by === 'at')
    const within = sums.filter((row) => !row.isBefore)
    const series = within.filter((row) => row.by === 'at').map(toSpan)
    return {
      totals: toMeasures(series),
      previous: toMeasures(previous.map(toSpan)),
      series: series.map((row) => ({ at: iso(row.at * 1_000), ...toMeasures([row]) })),
      ...byCalendar(
        within.filter((row) => row.by === 'date'),
        within.filter((row) => row.by === 'hour'),
      ),
      heatmap: {
        at: series.map((row) => iso(row.at * 1_000)),
        bounds: bands,
        counts: series.map((row) => toBands(row.responseTimes, bands)),
      },
    }
  }

  async function parts(accountId: string, source: Source) {
    const [rows, times] = await Promise.all([
      queries.parts(accountId, source, partsShown),
      queries.partTimes(accountId, source),
    ])
    const timesOf = new Map(times.map((row) => [`${row.dimension} ${row.value}`, row.times]))
    return (dimension: PartRow['dimension']): AnalyticsPart[] =>
      rows
        .filter((row) => row.dimension === dimension)
        .map((row) => toPart(row, timesOf.get(`${dimension} ${row.value}`)))
  }

  return {
    async read(accountId: string, range: AnalyticsRange): Promise<MeasuredAnalytics> {
      const source = sourceOf(range)
      const step = stepOf(range, source.isFine)
      const [overTime, partsOf] = await Promise.all([spans(accountId, source, step), parts(accountId, source)])
      return {
        from: iso(source.from),
        to: iso(source.to),
        timezone: range.timezone,
        step,
        ...overTime,
        routes: partsOf('route'),
        models: partsOf('model'),
        statuses: partsOf('status'),
        tokens: partsOf('token'),
        keys: partsOf('key'),
      }
    },
  }
}

const iso = (at: number) => new Date(at).toISOString()

function stepOf({ from, to }: AnalyticsRange, isFine: boolean): AnalyticsStep {
  const usable = keysOf(steps).filter((name) => isFine || steps[name] >= quarter)
  return usable.find((name) => (to - from) / steps[name] <= maxPoints) ?? '1d'
}

const toPart = (row: PartRow, times: Histogram = {}): AnalyticsPart => ({
  value: row.value === '' || row.value === noId ? null : row.value,
  ...toTotals([row]),
  p95: percentile(times, 0.95),
})
