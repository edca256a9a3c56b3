import { ChevronRight } from 'lucide-react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { formatCount } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { RequestCount } from './request-count.tsx'

export const RecentLogRow = ({ log, onOpen }: { log: RequestLogSummary; onOpen: () => void }) => (
  <li>
    <button
      type="button"
      onClick={onOpen}
      className="flex h-14 w-full items-center gap-3 px-4 text-left transition-colors hover:bg-bg focus-visible:-outline-offset-2"
    >
      <StatusBadge status={log.responseStatus} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-mono text-xs">
          <span className="font-semibold">{visibleLine(log.method)}</span> {visibleLine(log.endpoint)}
          <RequestCount log={log} />
        </span>
        <span className="block truncate text-xs text-muted">
          <DateTime value={log.createdAt} />
          {log.model && <span className="font-mono"> · {visibleLine(log.model)}</span>}
        </span>
      </span>
      <span className="font-mono text-xs tabular-nums">{formatCount(log.responseTime)} ms</span>
      <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <span className="sr-only">View details</span>
    </button>
  </li>
)
