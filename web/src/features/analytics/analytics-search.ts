import { z } from 'zod'
import type { ChangeBaseline, ChangeMeasure } from '#schemas/analytics-changes.ts'
import { readSearch } from '#web/lib/search-params.ts'
import { type TimeRange, timeRanges } from '#web/lib/time-ranges.ts'

export const estimatedTabs = ['usage', 'performance', 'errors', 'cost'] as const
export type EstimatedTab = (typeof estimatedTabs)[number]

const changeMeasures = ['requests', 'errors', 'slow', 'cost'] as const satisfies ChangeMeasure[]
const changeBaselines = ['equal', 'day'] as const satisfies ChangeBaseline[]

const moment = z.iso.datetime()
const isStretch = (text: string) => {
  const ends = text.split('..')
  return (
    ends.length === 2 && ends.every((end) => moment.safeParse(end).success) && ends.join() < ends.toReversed().join()
  )
}

const shape = {
  view: z.enum(['estimated', 'measured']),
  range: z.enum(timeRanges),
  tab: z.enum(estimatedTabs),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Whether the measured view also draws the previous period. */
  compare: z.boolean(),
  /** The stretch that is compared with the time before it, as `from..to`; in what, and against which time. */
  changed: z.string().max(80).refine(isStretch),
  measure: z.enum(changeMeasures),
  against: z.enum(changeBaselines),
}

export const readAnalyticsSearch = (raw: Record<string, unknown>) => readSearch(shape, raw)

/** The state of the screen in its URL; a missing parameter has its default. */
export type AnalyticsSearch = ReturnType<typeof readAnalyticsSearch>

export type MeasuredRange = { range: TimeRange } | { from: string; to: string }

/** The range of the measured view; a valid custom range takes precedence over a preset. */
export const measuredRange = ({ range = '7d', from, to }: AnalyticsSearch): MeasuredRange =>
  from && to && from < to ? { from, to } : { range }

const defaults: Record<string, unknown> = {
  view: 'estimated',
  range: '7d',
  tab: 'usage',
  compare: false,
  measure: 'requests',
  against: 'equal',
}

/** Applies a change; drops defaults and the notice about ignored parameters. */
export function changeAnalytics(search: AnalyticsSearch, change: Partial<AnalyticsSearch>): AnalyticsSearch {
  const next = Object.entries({ ...search, ignored: undefined, ...change })
  return Object.fromEntries(next.filter(([name, value]) => value !== undefined && value !== defaults[name]))
}
