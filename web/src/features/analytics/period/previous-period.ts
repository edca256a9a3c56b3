import { useQuery } from '@tanstack/react-query'
import type { Analytics } from '#schemas/analytics.ts'
import { analyticsQuery } from '../analytics-queries.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { stepMs } from './step-times.ts'

type Range = Pick<Analytics, 'from' | 'to'>

const spanOf = ({ from, to }: Range) => Date.parse(to) - Date.parse(from)

/** The period of the same length just before. */
export const rangeBefore = (range: Range): Range => ({
  from: new Date(Date.parse(range.from) - spanOf(range)).toISOString(),
  to: range.from,
})

/**
 * Aligns the items of the previous period with the steps of the current one.
 * @param times of the current steps, ms since 1970
 * @returns one per step: `null` without requests, `undefined` for times past the retention
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

/** The measurements of the previous period, once they are loaded. */
export function usePreviousPeriod(data: Analytics, filters: LogSearch, enabled: boolean): Analytics | undefined {
  const previous = useQuery({ ...analyticsQuery({ ...filters, range: undefined, ...rangeBefore(data) }), enabled })
  return enabled && !previous.isPlaceholderData ? previous.data : undefined
}
