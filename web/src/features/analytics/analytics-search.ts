import { z } from 'zod'
import { readSearch } from '#web/lib/search-params.ts'
import { type TimeRange, timeRanges } from '#web/lib/time-ranges.ts'

export const estimatedTabs = ['usage', 'performance', 'errors', 'cost'] as const
export type EstimatedTab = (typeof estimatedTabs)[number]

const shape = {
  view: z.enum(['estimated', 'measured']),
  range: z.enum(timeRanges),
  tab: z.enum(estimatedTabs),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** The period before is drawn too; in the view Measured. */
  compare: z.boolean(),
}

/** What of the screen stands in its address; what is left out is at its default. */
export type AnalyticsSearch = ReturnType<typeof readAnalyticsSearch>

export const readAnalyticsSearch = (raw: Record<string, unknown>) => readSearch(shape, raw)

export type MeasuredRange = { range: TimeRange } | { from: string; to: string }

/** What the view Measured shows: two moments of its own win over the name of a range. */
export const measuredRange = ({
  range = '7d',
  from,
  to,
}: Pick<AnalyticsSearch, 'range' | 'from' | 'to'>): MeasuredRange =>
  from && to && from < to ? { from, to } : { range }

const defaults: Record<string, unknown> = { view: 'estimated', range: '7d', tab: 'usage', compare: false }

/** A search with a change in it, without defaults and without the notice of what was ignored. */
export function changeAnalytics(search: AnalyticsSearch, change: Partial<AnalyticsSearch>): AnalyticsSearch {
  const next = Object.entries({ ...search, ignored: undefined, ...change })
  return Object.fromEntries(next.filter(([name, value]) => value !== undefined && value !== defaults[name]))
}
