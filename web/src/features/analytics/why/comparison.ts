import { ChangeBaseline, ChangeMeasure } from '#schemas/analytics-changes.ts'
import { Moment } from '#schemas/time-range.ts'

/** A period that is compared with the time before it. */
export type Comparison = { from: string; to: string; measure: ChangeMeasure; against: ChangeBaseline }

/** Parses `from..to,measure,against` from the URL; `null` if invalid. */
export function readComparison(text: string): Comparison | null {
  const [stretch = '', ...rest] = text.split(',')
  const [from = '', to = ''] = stretch.split('..')
  const measure = ChangeMeasure.safeParse(rest[0]).data
  const against = ChangeBaseline.safeParse(rest[1]).data
  const areTimes = [from, to].every((time) => Moment.safeParse(time).success)
  return measure && against && areTimes && Date.parse(from) < Date.parse(to) ? { from, to, measure, against } : null
}

export const writeComparison = ({ from, to, measure, against }: Comparison) => `${from}..${to},${measure},${against}`

/** The first comparison shown: the last eighth of a range, at least a minute. */
export function latestStretch({ from, to }: { from: number; to: number }): Comparison {
  const start = to - Math.max(60_000, (to - from) / 8)
  return {
    from: new Date(start).toISOString(),
    to: new Date(to).toISOString(),
    measure: 'requests',
    against: 'equal',
  }
}
