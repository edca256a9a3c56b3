import { Temporal } from 'temporal-polyfill'

/** The last millisecond of a calendar day in a timezone, where a day may have 23 or 25 hours. */
export function endOfDay(date: string, timezone: string): Date {
  const nextDay = Temporal.PlainDate.from(date).add({ days: 1 })
  return new Date(nextDay.toZonedDateTime(timezone).epochMilliseconds - 1)
}
