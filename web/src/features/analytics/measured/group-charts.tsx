import type { AnalyticsGroups } from '#schemas/analytics.ts'
import type { ChartSeries } from '#web/charts/line-chart.tsx'
import { alertDraft } from '#web/lib/log-filters/alert-draft.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { countedFilters, mergeFilters, useOpenLogs } from '../use-open-logs.ts'
import { fillSteps, stepMs, stepRange } from '../period/step-times.ts'
import type { Brush } from '../why/brush-menu.tsx'
import { isCharted, knownMetrics } from './group-metrics.ts'
import { groupLabel, groupLines, useGroupNames } from './group-values.ts'
import { useTimeAxis } from '../period/use-time-axis.ts'
import { TimeChartCard } from './time-chart-card.tsx'

type GroupChartsProps = {
  data: AnalyticsGroups
  filters: LogSearch
  empty: string | undefined
  onBrush: (brush: Brush) => void
}

/** Each measure over time: one line for each top group, and one for all others. */
export function GroupCharts({ data, filters, empty, onBrush }: GroupChartsProps) {
  const openLogs = useOpenLogs(filters)
  const nameOf = useGroupNames(data)
  const groups = groupLines(data, nameOf)
  const all = groups.flatMap(({ steps }) => steps).toSorted((a, b) => (a.at < b.at ? -1 : 1))
  const xs = fillSteps(all, data).map(({ at }) => at)
  const size = stepMs[data.step]
  const timeAxis = useTimeAxis(data, xs)
  const lines = groups.map(({ steps, ...line }) => ({
    ...line,
    steps: new Map(steps.map((item) => [Math.round((Date.parse(item.at) - (xs[0] ?? 0)) / size), item])),
  }))

  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      {knownMetrics(data.groups)
        .filter(isCharted)
        .map((metric) => {
          const series: ChartSeries[] = lines.map(({ steps, ...line }) => ({
            ...line,
            values: xs.map((_, index) => {
              const step = steps.get(index)
              return step ? metric.of(step) : metric.idle
            }),
          }))
          return (
            <TimeChartCard
              key={metric.title}
              title={metric.title}
              description={`By ${groupLabel(data.groupBy).toLowerCase()}`}
              alertDraft={alertDraft(
                metric.alert,
                metric.alert === 'requests' ? mergeFilters(filters, metric.filter ?? {}) : filters,
                data.groupBy,
              )}
              empty={empty}
              data={data}
              xs={xs}
              timeAxis={timeAxis}
              series={series}
              scale={metric}
              hasLegend
              // Zeros and unknown values have no requests to open.
              canOpen={(index) => series.some(({ values }) => values[index])}
              onOpen={(at) => openLogs({ ...stepRange(at, data), ...countedFilters(metric.filter, filters) })}
              onBrush={onBrush}
            />
          )
        })}
    </div>
  )
}
