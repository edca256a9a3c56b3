import { Temporal } from 'temporal-polyfill'

/** The last millisecond of a calendar day where the owner lives, however long that day is there. */
export function endOfDay(date: string, timezone: string): Date {
  const nextDay = Temporal.PlainDate.from(date).add({ days: 1 })
  return new Date(nextDay.toZonedDateTime(timezone).epochMilliseconds - 1)
}
