import { useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useItemDialog } from '#web/ui/use-item-dialog.ts'
import { RecentLogRow } from './recent-log-row.tsx'
import { recentLogsQuery } from '#web/lib/queries/request-logs.ts'

const RequestDetailsDialog = lazy(async () => ({
  default: (await import('../details/request-details-dialog.tsx')).RequestDetailsDialog,
}))

/** `emptyAction`: what to do about an empty list. */
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
        <Suspense>
          <RequestDetailsDialog
            id={details.item.id}
            summary={details.item}
            open={details.open}
            onClose={details.close}
          />
        </Suspense>
      )}
    </Card>
  )
}

const Rows = () => (
  <div className="divide-y divide-line">
    {Array.from({ length: 5 }, (_, row) => (
      <div key={row} className="flex h-14 items-center gap-3 px-4">
        <Skeleton className="h-5 w-12" />
        <Skeleton className="h-3.5 w-48 max-w-[50%]" />
        <Skeleton className="ml-auto h-3.5 w-16" />
      </div>
    ))}
  </div>
)
