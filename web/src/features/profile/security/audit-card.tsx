import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { isUnauthorized } from '#web/lib/text/error-text.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { linkOfAccount } from '#web/lib/session/tab-account.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { auditPath, auditQuery } from '../profile-queries.ts'
import { auditLabels } from './audit-labels.ts'

/** What was done to the account, newest first. */
export function AuditCard() {
  const query = useInfiniteQuery(auditQuery)
  const { data, error, hasNextPage, isFetchingNextPage } = query
  return (
    <Card
      title="Activity"
      description="What was done to your account, and from where"
      action={
        <Button asChild size="sm">
          <a href={linkOfAccount(`${auditPath}/export`)} download>
            <Download />
            Export
          </a>
        </Button>
      }
    >
      {data ? (
        <ul className="divide-y divide-line">
          {data.pages.flat().map(({ id, action, subject, clientAddress, createdAt }) => (
            <li key={id} className="grid gap-x-4 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_9rem_11rem] sm:items-center">
              <p className="min-w-0 truncate">
                {auditLabels[action]}
                {subject && <span className="text-muted"> · {visibleLine(subject)}</span>}
              </p>
              <p className="hidden font-mono text-xs text-muted sm:block">{clientAddress ?? ''}</p>
              <p className="text-xs text-muted sm:text-right">
                <DateTime value={createdAt} />
              </p>
            </li>
          ))}
        </ul>
      ) : error && !isUnauthorized(error) ? (
        <ErrorState title="The activity could not be loaded" error={error} onRetry={() => void query.refetch()} />
      ) : (
        <RowSkeletons rows={4} />
      )}
      {hasNextPage && (
        <div className="border-t border-line p-3 text-center">
          <Button size="sm" pendingText={isFetchingNextPage && 'Loading...'} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  )
}
