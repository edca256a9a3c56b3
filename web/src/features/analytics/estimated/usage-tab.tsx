import { BarChart } from '#web/charts/bar-chart.tsx'
import { ChartCard } from '#web/charts/chart-card.tsx'
import { LineChart } from '#web/charts/line-chart.tsx'
import { countRequests } from '#web/lib/queries/request-logs.ts'
import { formatCount, formatKnown, formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { valueFilter } from '#web/lib/log-filters/filter-values.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { axisCount } from '#web/charts/axis-labels.ts'
import { dailyTrend, oldestKnownDay, topEndpoints } from './estimate-series.ts'
import type { EstimateLog } from './estimates.ts'
import type { TimeRange } from '#web/lib/time-ranges.ts'
import { useOpenLogs } from '../use-open-logs.ts'

export type EstimatedTabProps = {
  logs: readonly EstimateLog[]
  /** When the logs were read, ms: the end of the days, which so move only when new numbers arrive. */
  readAt: number
  range: TimeRange
  /** The time of the logs, as filters. */
  period: LogSearch
  /** The logs lack older requests of the range. */
  isPartial: boolean
  /** Text shown instead of charts without logs. */
  empty: string | undefined
}

export function UsageTab({ logs, readAt, range, period, isPartial, empty }: EstimatedTabProps) {
  const zone = useTimeZone()
  const openLogs = useOpenLogs()
  const knownFrom = isPartial ? oldestKnownDay(logs, zone) : 0
  const days = dailyTrend(logs, range, readAt, zone).map(({ at, ...day }) =>
    at < knownFrom ? { at, requests: null, errors: null } : { at, ...day },
  )
  const endpoints = topEndpoints(logs)
  const exactDay = (at: number) => formatTime('day', at, zone)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-3">
      <ChartCard
        title="Requests and errors per day"
        description={isPartial ? `Of the latest ${formatCount(countRequests(logs))} requests` : undefined}
        className="lg:col-span-2"
        empty={empty}
        table={{
          heads: ['Day', 'Requests', 'Errors'],
          rows: days.map(({ at, requests, errors }) => ({
            key: String(at),
            cells: [exactDay(at), formatKnown(requests, formatCount), formatKnown(errors, formatCount)],
            values: [new Date(at).toISOString(), requests, errors],
          })),
        }}
      >
        <LineChart
          xs={days.map(({ at }) => at)}
          series={[
            {
              key: 'requests',
              label: 'Requests',
              colour: 'accent',
              area: true,
              values: days.map((day) => day.requests),
            },
            { key: 'errors', label: 'Errors', colour: 'danger', area: true, values: days.map((day) => day.errors) },
          ]}
          formatX={(at) => formatTime('shortDay', at, zone)}
          formatExactX={exactDay}
          formatY={axisCount}
          formatExactY={formatCount}
          height={264}
        />
      </ChartCard>
      <ChartCard
        title="Top endpoints"
        description="The five that are called most"
        empty={empty}
        table={{
          heads: ['Endpoint', 'Requests'],
          rows: endpoints.map(({ key, count }) => ({
            key,
            cells: [visibleLine(key), formatCount(count)],
            values: [visibleLine(key), count],
            onOpen: () => openLogs({ ...period, ...valueFilter('endpoint', key) }),
          })),
        }}
      >
        <BarChart
          bars={endpoints.map(({ key, count }) => ({
            key,
            label: visibleLine(key),
            value: count,
            text: formatCount(count),
          }))}
          onPick={({ key }) => openLogs({ ...period, ...valueFilter('endpoint', key) })}
        />
      </ChartCard>
    </div>
  )
}
