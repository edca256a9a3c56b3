import type { Change, ChangeDimension, ChangeMeasure, Counted } from '#schemas/analytics-changes.ts'

/** The requests of a period and of the time before it. */
export interface Compared {
  now: Counted
  before: Counted
  /** Sum of the squares of the individual amounts, of both times; shows how much the sum varies by chance. */
  squares: number
}

/** The requests with one value of a dimension. */
export type Candidate = Compared & Pick<Change, 'dimension' | 'tag' | 'value'>

interface Comparison {
  measure: ChangeMeasure
  /** Length of the period divided by that of the time before it. */
  scale: number
}

const changesShown = 20

/** Standard deviations that a change must exceed, and that are subtracted from its score. */
const significance = 2

/** Requests at the overall rate, added to the earlier ones so that a rate based on few requests counts for little. */
const priorRequests = 20

/** Symptoms: they change whenever anything fails, so a possible cause ranks higher even if it explains less. */
const effects: ReadonlySet<ChangeDimension> = new Set(['status', 'errorCode', 'outcome'])
const effectWeight = 0.1

/**
 * Ranks values by how far their amount exceeds (or falls short of) both its level and its share before, minus what
 * chance explains. @param all the requests of both times, whatever their values
 */
export function rankChanges(
  candidates: readonly Candidate[],
  all: Compared,
  comparison: Comparison,
): { expected: number; changes: Change[] } {
  const whole = assess(all, all, true, comparison)
  const change = all.now.amount - whole.expected
  const isChanged = Math.abs(change) > significance * whole.deviation
  const scored = candidates.map((candidate) => {
    const isEffect = effects.has(candidate.dimension)
    const { expected, deviation } = assess(candidate, all, isEffect, comparison)
    const difference = candidate.now.amount - expected
    const overShare = candidate.now.amount - (expected / (whole.expected || 1)) * all.now.amount
    const size =
      Math.sign(difference) === Math.sign(overShare) ? Math.min(Math.abs(difference), Math.abs(overShare)) : 0
    const score = (size - significance * deviation) * (isEffect ? effectWeight : 1)
    return { candidate, expected, score, explained: isChanged ? percentOf(difference, change) : null }
  })
  const changes = scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, changesShown)
    .map(({ candidate: { dimension, tag, value, now, before }, expected, explained }) => ({
      dimension,
      tag,
      value,
      now,
      before,
      expected,
      shareNow: percentOf(now.amount, all.now.amount),
      shareBefore: percentOf(expected, whole.expected),
      explained,
    }))
  return { expected: whole.expected, changes }
}

/** The amount that the time before predicts, and the standard deviation of the difference from it. */
function assess({ now, before, squares }: Compared, all: Compared, isEffect: boolean, { measure, scale }: Comparison) {
  const isRate = measure === 'errors' || measure === 'slow'
  const unit = unitOf({ now, before, squares }) || unitOf(all)
  if (!isRate) {
    const expected = before.amount * scale
    return { expected, deviation: Math.sqrt((now.amount + expected * scale) * unit) }
  }
  // If failures grow in proportion to requests, nothing has changed.
  const traffic = all.now.requests / (all.before.requests || 1)
  const rate = all.before.amount / (all.before.requests || 1)
  const expected = isEffect
    ? before.amount * traffic
    : now.requests * ((before.amount + priorRequests * rate) / (before.requests + priorRequests))
  const factor = isEffect ? traffic : now.requests / (before.requests + priorRequests)
  return { expected, deviation: Math.sqrt((now.amount + expected * factor) * unit) }
}

/** The typical amount of one event: 1 for counts, 0 without events. */
const unitOf = ({ now, before, squares }: Compared) => squares / (now.amount + before.amount || 1)

const percentOf = (part: number, whole: number) => (whole === 0 ? 0 : Math.min(100, Math.max(0, (part / whole) * 100)))
