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
  /** Whether the measured view also draws the previous period. */
  compare: z.boolean(),
  /** A saved view, whose parameters take the place of this one. */
  saved: z.uuid(),
  /** What is compared with the time before; `comparison.ts` reads it. */
  changed: z.string().max(99),
}

export const readAnalyticsSearch = (raw: Record<string, unknown>) => readSearch(shape, raw)

/** The state of the screen in its URL; a missing parameter has its default. */
export type AnalyticsSearch = ReturnType<typeof readAnalyticsSearch>

export type MeasuredRange = { range: TimeRange } | { from: string; to: string }

/** The range of the measured view; a valid custom range takes precedence over a preset. */
export const measuredRange = ({ range = '7d', from, to }: AnalyticsSearch): MeasuredRange =>
  from && to && from < to ? { from, to } : { range }

const defaults: Record<string, unknown> = { view: 'estimated', range: '7d', tab: 'usage', compare: false }

/** Applies a change; drops defaults and notices about the link. */
export function changeAnalytics(search: AnalyticsSearch, change: Partial<AnalyticsSearch>): AnalyticsSearch {
  const next = Object.entries({ ...search, ignored: undefined, saved: undefined, ...change })
  return Object.fromEntries(next.filter(([name, value]) => value !== undefined && value !== defaults[name]))
}
