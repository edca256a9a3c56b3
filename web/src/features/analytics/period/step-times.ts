import type { Analytics, AnalyticsStep } from '#schemas/analytics.ts'
import { startOfDay, startOfPart } from '#web/lib/text/zoned-time.ts'

const minute = 60_000

export const stepMs = {
  '1m': minute,
  '5m': 5 * minute,
  '15m': 15 * minute,
  '1h': 60 * minute,
  '6h': 360 * minute,
  '1d': 1_440 * minute,
} satisfies Record<AnalyticsStep, number>

const mostSteps = 1_000

/** A long step is shorter or longer where the clocks change. */
const isLong = (step: AnalyticsStep) => stepMs[step] > stepMs['1h']

/**
 * Adds the steps without requests, which the server omits. Times in ms.
 * Days of 23 or 25 hours are assigned to the nearest step.
 */
export function fillSteps<Item extends { at: string }>(
  items: readonly Item[],
  { from, to, step, timezone }: Pick<Analytics, 'from' | 'to' | 'step' | 'timezone'>,
): { at: number; item: Item | null }[] {
  const size = stepMs[step]
  const begin = Date.parse(from)
  const end = Date.parse(to)
  const known = items.map((item) => ({ at: Date.parse(item.at), item }))
  const anchor = known[0]?.at ?? begin
  const before = Math.round(Math.max(0, anchor - begin) / size)
  const startOf = (index: number) =>
    isLong(step) ? startOfPart(anchor, size, timezone, index - before) : anchor + (index - before) * size
  const first = startOf(0)
  const steps: { at: number; item: Item | null }[] = [{ at: first, item: null }]
  while (steps.length < mostSteps && startOf(steps.length) < end) steps.push({ at: startOf(steps.length), item: null })
  for (const { at, item } of known) {
    const index = Math.round((at - first) / size)
    // Half an hour after the clocks' change, the last step may be the next one.
    if (index >= 0 && index <= steps.length && index < mostSteps) steps[index] = { at, item }
  }
  return steps
}

/** The part of the range that a step covers. */
export function stepRange(
  at: number,
  { from, to, step, timezone }: Pick<Analytics, 'from' | 'to' | 'step' | 'timezone'>,
) {
  const size = stepMs[step]
  const end = isLong(step) ? startOfPart(at, size, timezone, 1) : at + size
  return {
    from: new Date(Math.max(at, Date.parse(from))).toISOString(),
    to: new Date(Math.min(end, Date.parse(to))).toISOString(),
  }
}

/** The part of the range that the steps from one to another cover. */
export const stepsRange = (first: number, last: number, data: Parameters<typeof stepRange>[1]) => ({
  from: stepRange(first, data).from,
  to: stepRange(last, data).to,
})

/** The first step of each calendar day of the zone; a partial first day gets no tick. */
export function dayTicks(xs: readonly number[], zone: string): number[] {
  const ticks: number[] = []
  let day = Number.NaN
  for (const x of xs) {
    const start = startOfDay(x, zone)
    if (start !== day && (!Number.isNaN(day) || start === x)) ticks.push(x)
    day = start
  }
  return ticks
}
