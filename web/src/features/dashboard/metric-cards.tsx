import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiKey } from '#schemas/api-keys.ts'
import { formatCount, formatPercent } from '#web/lib/text/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { statsQuery } from '#web/lib/queries/stats.ts'

/** Source: product.md 10.3. */
export function MetricCards({ keys }: { keys: UseQueryResult<ApiKey[]> }) {
  const stats = useQuery(statsQuery)
  const active = keys.data?.filter((key) => key.isActive)
  const primary = active?.filter((key) => key.isPrimary).length ?? 0
  return (
    <section aria-label="Metrics">
      <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line lg:grid-cols-4">
        <Metric label="Total Requests" note="All time" failed={stats.isError}>
          {stats.data && formatCount(stats.data.totalRequests)}
        </Metric>
        <Metric label="Success Rate" note="Status below 400" failed={stats.isError}>
          {stats.data && (stats.data.totalRequests === 0 ? '–' : formatPercent(stats.data.successRate))}
        </Metric>
        <Metric label="Avg Response Time" note="To the last byte" failed={stats.isError}>
          {stats.data && (stats.data.totalRequests === 0 ? '–' : <Milliseconds value={stats.data.avgResponseTime} />)}
        </Metric>
        <Metric
          label="Active Keys"
          note={active ? `${primary} primary, ${active.length - primary} backup` : ' '}
          failed={keys.isError}
        >
          {active && formatCount(active.length)}
        </Metric>
      </ul>
    </section>
  )
}

const Milliseconds = ({ value }: { value: number }) => (
  <>
    {formatCount(Math.round(value))}
    <span className="text-sm font-normal text-muted"> ms</span>
  </>
)

type MetricProps = { label: string; note: string; failed: boolean; children: ReactNode }

function Metric({ label, note, failed, children }: MetricProps) {
  const placeholder = failed ? <span title="Could not be loaded">–</span> : <Skeleton className="h-5 w-20" />
  return (
    <li className="bg-surface px-4 py-4 md:px-5">
      <h2 className="text-xs font-medium text-muted">{label}</h2>
      <p className="mt-2 flex h-7 items-center text-xl font-semibold tracking-tight tabular-nums">
        <span>{children === undefined ? placeholder : children}</span>
      </p>
      <p className="mt-0.5 h-4 text-xs text-muted">{note}</p>
    </li>
  )
}
