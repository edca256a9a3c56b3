import { BarChart } from '#web/charts/bar-chart.tsx'
import { ChartCard } from '#web/charts/chart-card.tsx'
import { LineChart } from '#web/charts/line-chart.tsx'
import { formatCount, formatTime } from '#web/lib/text/format.ts'
import { useTimeZone } from '#web/lib/time-zone.tsx'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { axisCount } from '../period/axis-text.ts'
import { noRequests } from '../empty-text.ts'
import { dailyTrend, topEndpoints } from './estimate-series.ts'
import type { EstimateLog } from './estimates.ts'
import type { TimeRange } from '#web/lib/time-ranges.ts'
import { useNow } from '../period/use-now.ts'
import { useOpenLogs } from '../use-open-logs.ts'

export type EstimatedTabProps = { logs: readonly EstimateLog[]; range: TimeRange }

export function UsageTab({ logs, range }: EstimatedTabProps) {
  const zone = useTimeZone()
  const openLogs = useOpenLogs()
  const days = dailyTrend(logs, range, useNow(), zone)
  const endpoints = topEndpoints(logs)
  const empty = logs.length === 0 ? noRequests(range) : undefined
  const day = (at: number) => formatTime('shortDay', at, zone)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-3">
      <ChartCard
        title="Requests and errors per day"
        className="lg:col-span-2"
        empty={empty}
        table={{
          caption: 'Requests and errors per day',
          heads: ['Day', 'Requests', 'Errors'],
          rows: days.map(({ at, requests, errors }) => ({
            key: String(at),
            cells: [formatTime('day', at, zone), formatCount(requests), formatCount(errors)],
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
              values: days.map((one) => one.requests),
            },
            { key: 'errors', label: 'Errors', colour: 'danger', area: true, values: days.map((one) => one.errors) },
          ]}
          formatX={day}
          formatExactX={(at) => formatTime('day', at, zone)}
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
          caption: 'Top endpoints',
          heads: ['Endpoint', 'Requests'],
          rows: endpoints.map(({ key, count }) => ({
            key,
            cells: [visibleLine(key), formatCount(count)],
            onOpen: () => openLogs({ range, endpoint: key }),
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
          onPick={({ key }) => openLogs({ range, endpoint: key })}
        />
      </ChartCard>
    </div>
  )
}
