import { day as dayMs } from '#schemas/units.ts'

// Creating a formatter costs a hundred times as much as using it.
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string) {
  const known = formatters.get(zone)
  if (known) return known
  // Swedish writes times as in ISO 8601, except for a space between date and time.
  const formatter = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
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

/** Wall-clock time in the zone, as ms since 1970 of a UTC clock that shows the same. */
const wallClock = (at: number, zone: string) => Date.parse(`${formatterOf(zone).format(at).replace(' ', 'T')}Z`)

/** ISO time to the value of a `datetime-local` control. */
export const toLocalInput = (iso: string, zone: string) =>
  new Date(wallClock(new Date(iso).getTime(), zone)).toISOString().slice(0, 16)

/** Value of a `datetime-local` control to ISO time; if the hour happens twice, the first. */
export function fromLocalInput(value: string, zone: string): string | undefined {
  const wall = Date.parse(`${value}Z`)
  if (Number.isNaN(wall)) return undefined
  // The offsets before and after a change of the clocks: one of them fits.
  const candidates = [wall - dayMs, wall + dayMs].map((near) => wall - (wallClock(near, zone) - near))
  const exact = candidates.find((at) => wallClock(at, zone) === wall) ?? candidates[0]
  return exact === undefined ? undefined : new Date(exact).toISOString()
}

/** First moment of the calendar day that contains `at`, moved by whole days. */
export const startOfDay = (at: number, zone: string, moveDays = 0): number => startOfPart(at, dayMs, zone, moveDays)

/** First moment of the part of a day that contains `at`, moved by whole parts. @param size of a part, ms */
export function startOfPart(at: number, size: number, zone: string, move: number): number {
  const wall = (Math.floor(wallClock(at, zone) / size) + move) * size
  return Date.parse(fromLocalInput(new Date(wall).toISOString().slice(0, 16), zone) ?? '')
}

/** Hour of the day, 0 to 23, in the zone. */
export const hourOfDay = (at: number, zone: string) => new Date(wallClock(at, zone)).getUTCHours()
