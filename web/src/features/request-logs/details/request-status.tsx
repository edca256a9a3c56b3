import { type LucideIcon, RotateCw, Unplug, UserRoundX, Zap } from 'lucide-react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { formatCount } from '#web/lib/text/format.ts'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { outcomeLabels } from '#web/lib/log-filters/outcome-labels.ts'

type MarkedLog = Pick<RequestLogSummary, 'responseStatus' | 'outcome' | 'attempts' | 'cacheStatus'>
type Mark = { text: string; detail: string; tone: Tone; icon: LucideIcon }

const outcomeMarks: Record<RequestLogSummary['outcome'], Omit<Mark, 'detail'> | null> = {
  completed: null,
  client_aborted: { text: 'Aborted', tone: 'warn', icon: UserRoundX },
  upstream_failed: { text: 'Broken', tone: 'danger', icon: Unplug },
  interrupted: { text: 'Interrupted', tone: 'danger', icon: Unplug },
}

function marksOf({ outcome, attempts, cacheStatus }: MarkedLog): Mark[] {
  const mark = outcomeMarks[outcome]
  return [
    ...(mark ? [{ ...mark, detail: outcomeLabels[outcome] }] : []),
    ...(attempts > 1
      ? [{ text: 'Retried', detail: `Sent ${formatCount(attempts)} times`, tone: 'neutral', icon: RotateCw } as const]
      : []),
    ...(cacheStatus === 'hit'
      ? [{ text: 'Cached', detail: 'Served from the cache', tone: 'neutral', icon: Zap } as const]
      : []),
  ]
}

/** The status, with marks for what it doesn't tell. `isShort`: icons with their texts in tooltips. */
export const RequestStatus = ({ log, isShort = false }: { log: MarkedLog; isShort?: boolean }) => (
  <span className={classNames('inline-flex items-center gap-1', isShort ? 'shrink-0' : 'flex-wrap')}>
    <StatusBadge status={log.responseStatus} isComplete={log.outcome === 'completed'} />
    {marksOf(log).map(({ text, detail, tone, icon: Icon }) => (
      <span key={text} title={`${text}: ${detail}`} className="inline-flex">
        <Badge tone={tone}>
          <Icon aria-hidden="true" className="size-3" />
          <span className={isShort ? 'sr-only' : undefined}>{text}</span>
        </Badge>
      </span>
    ))}
  </span>
)
