import { stepMs } from './step-times.ts'
import type { Analytics } from '#schemas/analytics.ts'

type Range = Pick<Analytics, 'from' | 'to'>

const spanOf = ({ from, to }: Range) => Date.parse(to) - Date.parse(from)

/** The same span of time right before. */
export const rangeBefore = (range: Range): Range => ({
  from: new Date(Date.parse(range.from) - spanOf(range)).toISOString(),
  to: range.from,
})

/**
 * What was measured a whole span earlier, at the steps of now.
 * @param times of the steps, ms since 1970
 * @returns one a step: `null` without requests, `undefined` for times that are not kept
 */
export function stepsBefore<Item extends { at: string }>(
  times: readonly number[],
  range: Range & Pick<Analytics, 'step' | 'availableFrom'>,
  items: readonly Item[],
): (Item | null | undefined)[] {
  const span = spanOf(range)
  const keptFrom = Date.parse(range.availableFrom)
  const steps: (Item | null | undefined)[] = times.map((at) => (at - span < keptFrom ? undefined : null))
  for (const item of items) {
    const index = Math.round((Date.parse(item.at) + span - (times[0] ?? 0)) / stepMs[range.step])
    if (index in steps) steps[index] = item
  }
  return steps
}
