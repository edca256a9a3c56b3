import type { Analytics } from '#schemas/analytics.ts'
import { day } from '#schemas/units.ts'
import { formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { dayTicks } from './step-times.ts'

/** Ticks and labels of a time axis: hours up to two days, calendar days of the zone beyond. */
export function useTimeAxis({ step, from, to }: Pick<Analytics, 'step' | 'from' | 'to'>, xs: readonly number[]) {
  const zone = useTimeZone()
  const hasDays = step === '1d' || Date.parse(to) - Date.parse(from) > 2 * day
  return {
    ticks: hasDays ? dayTicks(xs, zone) : undefined,
    formatX: (at: number) => formatTime(hasDays ? 'shortDay' : 'minuteOfDay', at, zone),
    formatExactX: (at: number) => formatTime(step === '1d' ? 'day' : 'minute', at, zone),
  }
}
