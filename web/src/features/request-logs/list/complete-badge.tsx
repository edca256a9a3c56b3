import { formatRecent, formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { Badge } from '#web/ui/badge.tsx'

/** Shows the ingest watermark: every request that ended before it is in the list. */
export function CompleteBadge({ until }: { until: string | null | undefined }) {
  const zone = useTimeZone()
  if (!until) return null
  return (
    <span title={`Every request that ended before ${formatTime('second', until, zone)} ${zone} is in this list`}>
      <Badge>
        Complete up to <time dateTime={until}>{formatRecent(until, zone)}</time>
      </Badge>
    </span>
  )
}
