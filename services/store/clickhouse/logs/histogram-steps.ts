import { Temporal } from 'temporal-polyfill'
import { day, hour, minute, second } from '#core/units.ts'

const lengths = [1, 5, 15].map((seconds) => seconds * second)
lengths.push(...[1, 5, 15].map((minutes) => minutes * minute), ...[1, 2, 6, 12].map((hours) => hours * hour))
lengths.push(...[1, 7, 30].map((days) => days * day))

/** With a partial step at each end, there are at most 120. */
const maxWhole = 118

interface Steps {
  /** Length of a step, ms; the first, the last and a step at a clock change can be shorter. */
  length: number
  /** Starts of the steps, ms since 1970: the start of the range, then whole hours and days of the timezone. */
  starts: number[]
}

export function histogramSteps(from: number, to: number, timezone: string): Steps {
  const length = lengths.find((each) => (to - from) / each <= maxWhole) ?? 30 * day
  const starts = [from]
  const days = Math.max(1, length / day)
  let midnight = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone).startOfDay()
  while (midnight.epochMilliseconds < to) {
    const next = midnight.add({ days }).startOfDay()
    const begin = midnight.epochMilliseconds
    const end = Math.min(next.epochMilliseconds, to)
    // A 25-hour day is still one step.
    const size = length < day ? length : end - begin
    const skipped = Math.max(0, Math.floor((from - begin) / size))
    for (let at = begin + skipped * size; at < end; at += size) if (at > from) starts.push(at)
    midnight = next
  }
  return { length, starts }
}
