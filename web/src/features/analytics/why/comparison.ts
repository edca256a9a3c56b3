import type { ChangeBaseline, ChangeMeasure } from '#schemas/analytics-changes.ts'

/** A period that is compared with the time before it. */
export type Comparison = { from: string; to: string; measure: ChangeMeasure; against: ChangeBaseline }

const measures = ['requests', 'errors', 'slow', 'cost'] as const satisfies ChangeMeasure[]
const baselines = ['equal', 'day'] as const satisfies ChangeBaseline[]

/** Parses `from..to,measure,against` from the URL; `null` if invalid. */
export function readComparison(text: string): Comparison | null {
  const [stretch = '', ...rest] = text.split(',')
  const [from = '', to = ''] = stretch.split('..')
  const measure = measures.find((name) => name === rest[0])
  const against = baselines.find((name) => name === rest[1])
  return measure && against && Date.parse(from) < Date.parse(to) ? { from, to, measure, against } : null
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
