import { z } from 'zod'
import { GroupBy } from '#schemas/analytics.ts'
import { filterNames } from '#web/lib/log-filters/log-params.ts'
import { filterDefaults, filterShape, type LogSearch } from '#web/lib/log-filters/log-search.ts'
import { chartTables, readSearch, withoutDefaults } from '#web/lib/search-params.ts'
import { type TimeRange, timeRanges } from '#web/lib/time-ranges.ts'

export const estimatedTabs = [
  { value: 'usage', label: 'Usage Trends' },
  { value: 'performance', label: 'Performance' },
  { value: 'errors', label: 'Error Analysis' },
  { value: 'cost', label: 'Cost Breakdown' },
] as const
export type EstimatedTab = (typeof estimatedTabs)[number]['value']

const breakdowns = ['models', 'routes', 'tokens', 'keys'] as const
export const barUnits = ['requests', 'tokens', 'cost'] as const

const rangeNames = new Set<string>(['range', 'from', 'to'])

/** Filters except the range, which has its own control. */
export const otherFilterNames = filterNames.filter((name) => !rangeNames.has(name))

const shape = {
  ...filterShape,
  view: z.enum(['estimated', 'measured']),
  range: z.enum(timeRanges),
  tab: z.enum(estimatedTabs.map(({ value }) => value)),
  /** Whether the measured view also draws the previous period. */
  compare: z.boolean(),
  tables: chartTables,
  /** What the bars of a breakdown show, if not requests. */
  bars: z.partialRecord(z.enum(breakdowns), z.enum(barUnits)),
  /** A saved view, whose parameters replace this one. */
  saved: z.uuid(),
  /** The period compared with the time before, parsed by `comparison.ts`. */
  changed: z.string().max(99),
  /** Grouping of the measured view. */
  groupBy: GroupBy,
}

export const readAnalyticsSearch = (raw: Record<string, unknown>) => readSearch(shape, raw)

/** The state of the screen in its URL; a missing parameter has its default. */
export type AnalyticsSearch = ReturnType<typeof readAnalyticsSearch>

type MeasuredRange = { range: TimeRange } | { from: string; to: string }

/** The range of the measured view; a valid custom range takes precedence over a preset. */
export const measuredRange = ({ range = '7d', from, to }: AnalyticsSearch): MeasuredRange =>
  from && to && Date.parse(from) < Date.parse(to) ? { from, to } : { range }

/** The range and the filters of the measured view. */
export const measuredFilters = (search: AnalyticsSearch): LogSearch => ({
  ...Object.fromEntries(otherFilterNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]]))),
  ...measuredRange(search),
})

const defaults = { ...filterDefaults, view: 'estimated', range: '7d', tab: 'usage', compare: false }
const defaultBars = Object.fromEntries(breakdowns.map((name) => [name, 'requests']))

/** Applies a change; drops defaults and notices about the link. */
export function changeAnalytics(search: AnalyticsSearch, change: Partial<AnalyticsSearch>): AnalyticsSearch {
  const next = { ...search, ignored: undefined, saved: undefined, ...change }
  const bars = withoutDefaults({ ...next.bars }, defaultBars)
  return withoutDefaults({ ...next, bars: Object.keys(bars).length > 0 ? bars : undefined }, defaults)
}
