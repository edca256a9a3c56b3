import { day as dayMs } from '#schemas/time-range.ts'

type Parts = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>

// A formatter costs a hundred times as much as a use of it.
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string) {
  const known = formatters.get(zone)
  if (known) return known
  const formatter = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formatters.set(zone, formatter)
  return formatter
}

const parts = (at: number, zone: string) =>
  Object.fromEntries(
    formatterOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Parts

/** What a clock in the zone shows, as ms since 1970 of a clock in UTC that shows the same. */
function wallClock(at: number, zone: string) {
  const { year, month, day, hour, minute, second } = parts(at, zone)
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** ISO time to the value of a `datetime-local` control. */
export const toLocalInput = (iso: string, zone: string) =>
  new Date(wallClock(new Date(iso).getTime(), zone)).toISOString().slice(0, 16)

/** Value of a `datetime-local` control to ISO time; of an hour that happens twice, the first. */
export function fromLocalInput(value: string, zone: string): string | undefined {
  const wall = Date.parse(`${value}Z`)
  if (Number.isNaN(wall)) return undefined
  // The offset before a change of the clocks, then the one after it: one of them fits.
  const candidates = [wall - dayMs, wall + dayMs].map((near) => wall - (wallClock(near, zone) - near))
  const exact = candidates.find((at) => wallClock(at, zone) === wall) ?? candidates[0]
  return exact === undefined ? undefined : new Date(exact).toISOString()
}

/** First moment of the calendar day that `at` lies in, moved by whole days. */
export function startOfDay(at: number, zone: string, moveDays = 0): number {
  const { year, month, day } = parts(at, zone)
  const wall = new Date(Date.UTC(year, month - 1, day + moveDays)).toISOString().slice(0, 16)
  return Date.parse(fromLocalInput(wall, zone) ?? '')
}

/** Hour of the day, 0 to 23, in the zone. */
export const hourOfDay = (at: number, zone: string) => parts(at, zone).hour
