import { startOfDay } from '#web/lib/text/zoned-time.ts'

/** The first step of each calendar day of the zone; the day that the range begins in only when it is whole. */
export function dayTicks(xs: readonly number[], zone: string): number[] {
  const ticks: number[] = []
  let day = Number.NaN
  for (const x of xs) {
    const start = startOfDay(x, zone)
    if (start !== day && (ticks.length > 0 || !Number.isNaN(day) || start === x)) ticks.push(x)
    day = start
  }
  return ticks
}
