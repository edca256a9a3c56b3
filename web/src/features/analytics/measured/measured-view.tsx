import { useQuery } from '@tanstack/react-query'
import { formatTime } from '#web/lib/text/format.ts'
import { isUnauthorized } from '#web/lib/text/error-text.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { analyticsQuery } from '../analytics-queries.ts'
import type { MeasuredRange } from '../analytics-search.ts'
import { LatencyHeatmap } from './latency-heatmap.tsx'
import { LoadingAnalytics } from '../loading-analytics.tsx'
import { MeasuredTotals } from './measured-totals.tsx'
import { PartCard } from './part-card.tsx'
import { SeriesCharts } from './series-charts.tsx'
import { StatusCard } from '../status-card.tsx'

type MeasuredViewProps = {
  range: MeasuredRange
  /** Whether the previous period is drawn too. */
  compare: boolean
  onZoom: (from: number, to: number) => void
}

/** Exact numbers over every request, from the rollups. */
export function MeasuredView({ range, compare, onZoom }: MeasuredViewProps) {
  const query = useQuery(analyticsQuery(range))
  const zone = useTimeZone()
  const { data, error } = query
  if (error && !isUnauthorized(error)) {
    return (
      <Panel>
        <ErrorState title="The analytics could not be loaded" error={error} onRetry={() => void query.refetch()} />
      </Panel>
    )
  }
  if (data === undefined) return <LoadingAnalytics />
  const empty =
    data.totals.requests === 0
      ? `No requests between ${formatTime('minute', data.from, zone)} and ${formatTime('minute', data.to, zone)}.`
      : undefined
  const props = { data, empty }
  return (
    <div className={query.isPlaceholderData ? 'flex flex-col gap-6 opacity-60' : 'flex flex-col gap-6'}>
      {'from' in range && range.from < data.availableFrom && (
        <Notice>Requests before {formatTime('minute', data.availableFrom, zone)} are not kept any more.</Notice>
      )}
      <MeasuredTotals data={data} />
      <SeriesCharts {...props} compare={compare} onZoom={onZoom} />
      <LatencyHeatmap {...props} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <PartCard {...props} title="Models" part="models" />
        <PartCard {...props} title="Endpoints" part="routes" />
        <PartCard {...props} title="Secure tokens" part="tokens" />
        <PartCard {...props} title="API keys" part="keys" />
      </div>
      <StatusCard
        counts={data.statuses.map(({ value, requests }) => ({ key: Number(value ?? 0), count: requests }))}
        total={data.totals.requests}
        empty={empty}
        period={{ from: data.from, to: data.to }}
      />
    </div>
  )
}
