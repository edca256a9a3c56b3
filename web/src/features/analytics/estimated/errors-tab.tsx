import { CircleCheck } from 'lucide-react'
import { ChartCard } from '#web/charts/chart-card.tsx'
import { PieChart } from '#web/charts/pie-chart.tsx'
import { formatCount, formatPercent } from '#web/lib/text/format.ts'
import { Card } from '#web/ui/card.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { noRequests } from '../empty-text.ts'
import { errorCounts, errorLabel, statusCounts } from './estimate-series.ts'
import { statusSlices, statusText } from '../measured/status-slices.ts'
import { useOpenLogs } from '../measured/use-open-logs.ts'
import type { EstimatedTabProps } from './usage-tab.tsx'

export function ErrorsTab({ logs, range }: EstimatedTabProps) {
  const counts = statusCounts(logs)
  const errors = errorCounts(logs)
  const openLogs = useOpenLogs()
  const open = (statusCode: number) => openLogs({ range, statusCode })
  const share = (count: number) => formatPercent((count / logs.length) * 100)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <ChartCard
        title="Status codes"
        empty={logs.length === 0 ? noRequests(range) : undefined}
        table={{
          caption: 'Status codes',
          heads: ['Status', 'Requests', 'Share'],
          rows: counts.map(({ key, count }) => ({
            key: String(key),
            cells: [statusText(key), formatCount(count), share(count)],
            onOpen: () => open(key),
          })),
        }}
      >
        <PieChart
          slices={statusSlices(counts, logs.length)}
          total={formatCount(logs.length)}
          onPick={({ key }) => key !== 'other' && open(Number(key))}
        />
      </ChartCard>
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
                  {formatCount(count)} <span className="text-muted">({share(count)})</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}
