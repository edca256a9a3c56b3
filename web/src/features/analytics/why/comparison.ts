import type { ChangeBaseline, ChangeMeasure } from '#schemas/analytics-changes.ts'
import type { AnalyticsSearch } from '../analytics-search.ts'

/** A stretch of time that is compared with the time before it. */
export type Comparison = { from: string; to: string; measure: ChangeMeasure; against: ChangeBaseline }

/** The comparison in the address, `null` without one. */
export function readComparison(search: AnalyticsSearch): Comparison | null {
  const [from, to] = search.changed?.split('..') ?? []
  if (from === undefined || to === undefined) return null
  return { from, to, measure: search.measure ?? 'requests', against: search.against ?? 'equal' }
}

/** What a comparison is in the address. */
export const writeComparison = (comparison: Comparison | null) => ({
  changed: comparison ? `${comparison.from}..${comparison.to}` : undefined,
  measure: comparison?.measure,
  against: comparison?.against,
})

/** The end of a range, as a stretch to begin with. */
export function latestStretch({ from, to }: { from: number; to: number }): Comparison {
  const start = to - Math.max(60_000, (to - from) / 8)
  return {
    from: new Date(start).toISOString(),
    to: new Date(to).toISOString(),
    measure: 'requests',
    against: 'equal',
  }
}
