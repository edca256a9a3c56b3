import { formatDate, formatDateTime, formatMinute } from '#web/lib/format.ts'

const formats = { second: formatDateTime, minute: formatMinute, day: formatDate }

type DateTimeProps = { value: string | null; precision?: keyof typeof formats; empty?: string }

/** A moment as all screens show it; `empty` stands for one that has not come. */
export function DateTime({ value, precision = 'second', empty = 'N/A' }: DateTimeProps) {
  if (value === null) return empty
  return (
    <time dateTime={value} title={`${formatDateTime(value)} UTC`} className="whitespace-nowrap tabular-nums">
      {formats[precision](value)}
    </time>
  )
}
