import { day } from '#core/units.ts'
import type { TimeSpan } from '../range-pieces.ts'

/** Most pages are recent; searching there first avoids reading older parts. */
const reaches = [day, 8 * day]

/**
 * Time windows to search for a page, in turn: each begins where the order begins and is longer than the previous one;
 * the last is the whole range. @param near the time around which the page begins
 */
export function pageWindows(range: TimeSpan, order: 'desc' | 'asc', near: number): TimeSpan[] {
  const start = Math.max(range.from, Math.min(near, range.to))
  const windows = reaches.map((reach) =>
    order === 'desc' ? { from: start - reach, to: range.to } : { from: range.from, to: start + reach },
  )
  return [...windows.filter(({ from, to }) => from > range.from || to < range.to), range]
}
