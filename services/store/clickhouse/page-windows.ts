import { day } from '#core/units.ts'

/** Most pages are recent: looking there first spares older parts and their indexes. */
const reaches = [day, 8 * day]

interface TimeWindow {
  /** ms since 1970; `to` is not in it. */
  from: number
  to: number
}

/**
 * Where to look for a page, one after the other: each window begins where the order does and reaches further than the
 * one before; the last is the whole range.
 * @param near the moment around which the page begins
 */
export function pageWindows(range: TimeWindow, order: 'desc' | 'asc', near: number): TimeWindow[] {
  const start = Math.max(range.from, Math.min(near, range.to))
  const windows = reaches.map((reach) =>
    order === 'desc' ? { from: start - reach, to: range.to } : { from: range.from, to: start + reach },
  )
  return [...windows.filter(({ from, to }) => from > range.from || to < range.to), range]
}
