import { useQuery } from '@tanstack/react-query'
import { ChevronRight, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { formatMs } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { Card } from '#web/ui/card.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton, SkeletonList } from '#web/ui/skeleton.tsx'
import { useItemDialog } from '#web/ui/use-item-dialog.ts'
import { RequestStatus } from '../details/request-status.tsx'
import { RequestCount } from './request-count.tsx'
import { recentLogsQuery } from '#web/lib/queries/request-logs.ts'

const RequestDetailsDialog = lazyDialog(
  async () => (await import('../details/request-details-dialog.tsx')).RequestDetailsDialog,
)

/** `emptyAction`: shown with the empty list. */
export function RecentLogsCard({ emptyAction }: { emptyAction?: ReactNode }) {
  const logs = useQuery(recentLogsQuery)
  const details = useItemDialog<RequestLogSummary>()
  return (
    <Card title="Recent Request Logs" description="The latest 5, updated every 3 seconds">
      <QueryView query={logs} skeleton={<Rows />} errorTitle="The request logs could not be loaded">
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={ScrollText} title="No Request Logs" action={emptyAction}>
              Start using the proxy to see request logs here
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line">
              {list.map((log) => (
                <RecentLogRow key={log.id} log={log} onOpen={() => details.show(log)} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {details.item && (
        <RequestDetailsDialog id={details.item.id} summary={details.item} open={details.open} onClose={details.close} />
      )}
    </Card>
  )
}

const Rows = () => (
  <SkeletonList rows={5} rowClassName="flex h-14 items-center gap-3 px-4">
    <Skeleton className="h-5 w-12" />
    <Skeleton className="h-3.5 w-48 max-w-[50%]" />
    <Skeleton className="ml-auto h-3.5 w-16" />
  </SkeletonList>
)

const RecentLogRow = ({ log, onOpen }: { log: RequestLogSummary; onOpen: () => void }) => (
  <li>
    <button
      type="button"
      onClick={onOpen}
      className="flex h-14 w-full items-center gap-3 px-4 text-left transition-colors hover:bg-bg focus-visible:-outline-offset-2"
    >
      <RequestStatus log={log} isShort />
      <span className="min-w-0 flex-1">
        <span translate="no" className="block truncate font-mono text-xs">
          <span className="font-semibold">{visibleLine(log.method)}</span> {visibleLine(log.endpoint)}
          <RequestCount log={log} />
        </span>
        <span className="block truncate text-xs text-muted">
          <DateTime value={log.createdAt} />
          {log.model && <span className="font-mono"> · {visibleLine(log.model)}</span>}
        </span>
      </span>
      <span className="font-mono text-xs tabular-nums">{formatMs(log.responseTime)}</span>
      <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <span className="sr-only">View details</span>
    </button>
  </li>
)
