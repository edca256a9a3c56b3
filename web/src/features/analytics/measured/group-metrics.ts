import type { AlertMeasure } from '#schemas/alerts.ts'
import type { Measures } from '#schemas/analytics.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { formatCount, formatMs, formatNanoUsd } from '#web/lib/text/format.ts'
import { show } from './chart-cells.ts'
import type { Brush } from '../why/brush-menu.tsx'
import { axisCount, axisMs, axisUsd } from '#web/charts/axis-text.ts'

export interface GroupMetric {
  title: string
  of: (measures: Measures) => number | null
  /** Value of a step without requests. */
  idle: 0 | null
  axis: (value: number) => string
  exact: (value: number) => string
  /** Converts a value for export; by default, it stays the same. */
  inFile?: (value: number) => number
  /** The measure of an alert that is created from this chart: the one closest to what is shown. */
  alert: AlertMeasure
  /** The measure by which a brushed range is compared with the time before. */
  measure: Brush['measure']
  /** Filters for the requests behind the number. */
  filter?: LogSearch
  /** Unknown when the numbers come from rollups. */
  isOfRows?: boolean
}

const counted = { idle: 0, axis: axisCount, exact: formatCount, measure: 'requests', alert: 'requests' } as const
const timed = { idle: null, axis: axisMs, exact: formatMs, measure: 'slow', alert: 'p95' } as const
const rate = (value: number) => `${value < 10 ? value.toFixed(1) : formatCount(Math.round(value))}/s`

export const groupMetrics: readonly GroupMetric[] = [
  { title: 'Requests', of: ({ requests }) => requests, ...counted },
  {
    title: 'Errors',
    of: ({ errors }) => errors,
    ...counted,
    measure: 'errors',
    alert: 'errorRate',
    filter: { status: 'failed' },
  },
  {
    title: 'Tokens',
    of: ({ promptTokens, completionTokens }) => promptTokens + completionTokens,
    ...counted,
    alert: 'cost',
  },
  {
    title: 'Cost',
    of: ({ costNanoUsd }) => costNanoUsd,
    idle: 0,
    axis: axisUsd,
    exact: formatNanoUsd,
    inFile: (nanoUsd) => nanoUsd / 1e9,
    measure: 'cost',
    alert: 'cost',
    filter: { cost: 'known' },
  },
  { title: 'Response time, p50', of: ({ p50 }) => p50, ...timed },
  { title: 'Response time, p95', of: ({ p95 }) => p95, ...timed },
  { title: 'Response time, p99', of: ({ p99 }) => p99, ...timed },
  { title: 'First byte, average', of: ({ avgFirstByte }) => avgFirstByte, ...timed },
  { title: 'First byte, p50', of: ({ firstByteP50 }) => firstByteP50, ...timed, isOfRows: true },
  { title: 'First byte, p95', of: ({ firstByteP95 }) => firstByteP95, ...timed, isOfRows: true },
  { title: 'First byte, p99', of: ({ firstByteP99 }) => firstByteP99, ...timed, isOfRows: true },
  { title: 'Tokens a second', of: ({ tokensPerSecond }) => tokensPerSecond, ...timed, axis: rate, exact: rate },
  { title: 'Cache hits', of: ({ cacheHits }) => cacheHits, ...counted, filter: { cache: 'hit' } },
  { title: 'Retried', of: ({ retried }) => retried, ...counted, filter: { retried: 'true' } },
  { title: 'Failed over', of: ({ failedOver }) => failedOver, ...counted, filter: { failedOver: 'true' } },
  { title: 'Aborted', of: ({ aborted }) => aborted, ...counted, filter: { outcome: 'client_aborted' } },
  { title: 'Broken off', of: ({ broken }) => broken, ...counted, filter: { outcome: 'upstream_failed,interrupted' } },
]

/** The metrics that at least one group has. */
export const knownMetrics = (groups: readonly Measures[]): GroupMetric[] =>
  groupMetrics.filter(({ isOfRows, of }) => !isOfRows || groups.some((group) => of(group) !== null))

const inTableOnly = new Set(['First byte, p50', 'First byte, p99', 'Aborted', 'Broken off'])

export const isCharted = ({ title }: GroupMetric): boolean => !inTableOnly.has(title)

export const showMetric = ({ of, exact }: GroupMetric, measures: Measures): string => show(of(measures), exact)
