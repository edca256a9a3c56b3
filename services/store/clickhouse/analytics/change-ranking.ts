import type { Change, ChangeDimension, ChangeMeasure, Counted } from '#schemas/analytics-changes.ts'

/** The requests of a stretch and of the time before it. */
export interface Compared {
  now: Counted
  before: Counted
  /** Sum of the squares of the single amounts, of both times: how much chance moves the sum. */
  squares: number
}

/** The requests with one value of a dimension. */
export type Candidate = Compared & Pick<Change, 'dimension' | 'tag' | 'value'>

interface Comparison {
  measure: ChangeMeasure
  /** Length of the stretch as a part of the time before. */
  scale: number
}

const changesShown = 20

/** Standard deviations that a change has to exceed, and that are taken off its score. */
const significance = 2

/** Requests with the overall rate that are added to those before, so that a rate of few requests says little. */
const priorRequests = 20

/** An error's own code or status differs whenever anything fails; a cause is of more use, even one that explains less. */
const effects: ReadonlySet<ChangeDimension> = new Set(['status', 'errorCode', 'outcome'])
const effectWeight = 0.1

/**
 * Ranks values by how far their amount exceeds (or falls short of) both its level and its share before, less what chance
 * explains. @param all the requests of both times, whatever their values
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

/** The amount that the period before suggests, and the standard deviation of the difference to it. */
function assess({ now, before, squares }: Compared, all: Compared, isEffect: boolean, { measure, scale }: Comparison) {
  const isRate = measure === 'errors' || measure === 'slow'
  const unit = unitOf({ now, before, squares }) || unitOf(all)
  if (!isRate) {
    const expected = before.amount * scale
    return { expected, deviation: Math.sqrt((now.amount + expected * scale) * unit) }
  }
  // More failures with as many more requests are no change.
  const traffic = all.now.requests / (all.before.requests || 1)
  const rate = all.before.amount / (all.before.requests || 1)
  const expected = isEffect
    ? before.amount * traffic
    : now.requests * ((before.amount + priorRequests * rate) / (before.requests + priorRequests))
  const factor = isEffect ? traffic : now.requests / (before.requests + priorRequests)
  return { expected, deviation: Math.sqrt((now.amount + expected * factor) * unit) }
}

/** The usual amount of one event, 1 for counts; 0 without any. */
const unitOf = ({ now, before, squares }: Compared) => squares / (now.amount + before.amount || 1)

const percentOf = (part: number, whole: number) => (whole === 0 ? 0 : Math.min(100, Math.max(0, (part / whole) * 100)))
