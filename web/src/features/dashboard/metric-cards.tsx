import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Stats } from '#schemas/analytics.ts'
import { formatCount, formatPercent } from '#web/lib/text/format.ts'
import { MetricStrip, WithUnit } from '#web/ui/metric-strip.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { apiKeysQuery } from '#web/lib/queries/api-keys.ts'
import { statsQuery } from '#web/lib/queries/stats.ts'

const averageTime = ({ totalRequests, avgResponseTime }: Stats) =>
  totalRequests === 0 ? '–' : <WithUnit value={formatCount(Math.round(avgResponseTime))} unit=" ms" />

const shown = (failed: boolean, value: ReactNode) =>
  value ?? (failed ? <span title="Could not be loaded">–</span> : <Skeleton className="h-5 w-20" />)

/** Source: product.md 10.3. */
export function MetricCards() {
  const keys = useQuery(apiKeysQuery)
  const stats = useQuery(statsQuery)
  const active = keys.data?.filter((key) => key.isActive)
  const primary = active?.filter((key) => key.isPrimary).length ?? 0
  return (
    <MetricStrip
      label="Metrics"
      metrics={[
        {
          label: 'Total Requests',
          value: shown(stats.isError, stats.data && formatCount(stats.data.totalRequests)),
          note: 'All time',
        },
        {
          label: 'Success Rate',
          value: shown(
            stats.isError,
            stats.data && (stats.data.totalRequests === 0 ? '–' : formatPercent(stats.data.successRate)),
          ),
          note: 'Status below 400',
        },
        {
          label: 'Avg Response Time',
          value: shown(stats.isError, stats.data && averageTime(stats.data)),
          note: 'To the last byte',
        },
        {
          label: 'Active Keys',
          value: shown(keys.isError, active && formatCount(active.length)),
          note: active && `${primary} primary, ${active.length - primary} backup`,
        },
      ]}
    />
  )
}
