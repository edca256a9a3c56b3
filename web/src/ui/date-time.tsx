import { formatRecent, formatTime, type TimeStyle } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'

type DateTimeProps = { value: string | null; precision?: TimeStyle | 'recent'; empty?: string }

/** A moment in the preferred time zone, to the millisecond in the tooltip; `empty` is shown instead of `null`. */
export function DateTime({ value, precision = 'second', empty = 'N/A' }: DateTimeProps) {
  const zone = useTimeZone()
  if (value === null) return empty
  return (
    <time
      dateTime={value}
      title={`${formatTime('millisecond', value, zone)} ${zone}`}
      className="whitespace-nowrap tabular-nums"
    >
      {precision === 'recent' ? formatRecent(value, zone) : formatTime(precision, value, zone)}
    </time>
  )
}
