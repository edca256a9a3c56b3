import type { Measures } from '#schemas/analytics.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { formatCount, formatKnown } from '#web/lib/text/format.ts'
import { type ChartScale, costScale, countScale, timeScale } from './chart-scale.ts'

interface GroupMetric extends ChartScale {
  title: string
  of: (measures: Measures) => number | null
  /** Filters for the requests behind the number. */
  filter?: LogSearch
  /** Unknown when the numbers come from rollups. */
  isOfRows?: boolean
}

const rate = (value: number) => `${value < 10 ? value.toFixed(1) : formatCount(Math.round(value))}/s`

export const groupMetrics: readonly GroupMetric[] = [
  { title: 'Requests', of: ({ requests }) => requests, ...countScale },
  {
    title: 'Errors',
    of: ({ errors }) => errors,
    ...countScale,
    measure: 'errors',
    alert: 'errorRate',
    filter: { status: 'failed' },
  },
  {
    title: 'Tokens',
    of: ({ promptTokens, completionTokens }) => promptTokens + completionTokens,
    ...countScale,
    alert: 'cost',
  },
  { title: 'Cost', of: ({ costNanoUsd }) => costNanoUsd, ...costScale, filter: { cost: 'known' } },
  { title: 'Response time, p50', of: ({ p50 }) => p50, ...timeScale },
  { title: 'Response time, p95', of: ({ p95 }) => p95, ...timeScale },
  { title: 'Response time, p99', of: ({ p99 }) => p99, ...timeScale },
  { title: 'First byte, average', of: ({ avgFirstByte }) => avgFirstByte, ...timeScale },
  { title: 'First byte, p50', of: ({ firstByteP50 }) => firstByteP50, ...timeScale, isOfRows: true },
  { title: 'First byte, p95', of: ({ firstByteP95 }) => firstByteP95, ...timeScale, isOfRows: true },
  { title: 'First byte, p99', of: ({ firstByteP99 }) => firstByteP99, ...timeScale, isOfRows: true },
  { title: 'Tokens a second', of: ({ tokensPerSecond }) => tokensPerSecond, ...timeScale, axis: rate, exact: rate },
  { title: 'Cache hits', of: ({ cacheHits }) => cacheHits, ...countScale, filter: { cache: 'hit' } },
  { title: 'Retried', of: ({ retried }) => retried, ...countScale, filter: { retried: 'true' } },
  { title: 'Failed over', of: ({ failedOver }) => failedOver, ...countScale, filter: { failedOver: 'true' } },
  { title: 'Aborted', of: ({ aborted }) => aborted, ...countScale, filter: { outcome: 'client_aborted' } },
  {
    title: 'Broken off',
    of: ({ broken }) => broken,
    ...countScale,
    filter: { outcome: 'upstream_failed,interrupted' },
  },
]

/** The metrics that at least one group has. */
export const knownMetrics = (groups: readonly Measures[]): GroupMetric[] =>
  groupMetrics.filter(({ isOfRows, of }) => !isOfRows || groups.some((group) => of(group) !== null))

const inTableOnly = new Set(['First byte, p50', 'First byte, p99', 'Aborted', 'Broken off'])

export const isCharted = ({ title }: GroupMetric): boolean => !inTableOnly.has(title)

export const showMetric = ({ of, exact }: GroupMetric, measures: Measures): string => formatKnown(of(measures), exact)
