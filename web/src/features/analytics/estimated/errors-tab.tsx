import { CircleCheck } from 'lucide-react'
import { countRequests } from '#web/lib/queries/request-logs.ts'
import { formatCount, formatPercent } from '#web/lib/text/format.ts'
import { Card } from '#web/ui/card.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { errorCounts, errorLabel, statusCounts } from './estimate-series.ts'
import { StatusCard } from '../status-card.tsx'
import type { EstimatedTabProps } from './usage-tab.tsx'

export function ErrorsTab({ logs, period, empty }: EstimatedTabProps) {
  const errors = errorCounts(logs)
  const total = countRequests(logs)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <StatusCard counts={statusCounts(logs)} total={total} empty={empty} period={period} />
      <Card title="Error statuses">
        {errors.length === 0 ? (
          <p className="flex items-center justify-center gap-2 px-4 py-16 text-muted">
            <CircleCheck aria-hidden="true" className="size-4 text-ok" />
            No errors in selected time period
          </p>
        ) : (
          <ul className="divide-y divide-line px-4">
            {errors.map(({ key, count }) => (
              <li key={key} className="flex min-h-12 items-center gap-3 py-2">
                <StatusBadge status={key} />
                <span>{errorLabel(key)}</span>
                <span className="ml-auto font-mono text-xs tabular-nums">
                  {formatCount(count)} <span className="text-muted">({formatPercent((count / total) * 100)})</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}
