import type { AnalyticsGroups } from '#schemas/analytics.ts'
import { ChartCard } from '#web/charts/chart-card.tsx'
import { type ChartSeries, LineChart } from '#web/charts/line-chart.tsx'
import { useValueNames } from '#web/lib/log-filters/values/value-fields.ts'
import { alertDraft } from '#web/lib/log-filters/alert-draft.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { countedFilters, mergeFilters, useOpenLogs } from '../use-open-logs.ts'
import { fillSteps, stepMs, stepRange, stepsRange } from '../period/step-times.ts'
import { useTimeAxis } from '../period/use-time-axis.ts'
import type { Brush } from '../why/brush-menu.tsx'
import { convert, show } from './chart-cells.ts'
import { isCharted, knownMetrics } from './group-metrics.ts'
import { groupColours, groupLabel, groupName } from './group-values.ts'

type GroupChartsProps = {
  data: AnalyticsGroups
  filters: LogSearch
  empty: string | undefined
  onBrush: (brush: Brush) => void
}

type Line = Omit<ChartSeries, 'values'> & { steps: Map<number, AnalyticsGroups['otherSeries'][number]> }

/** Each measure over time: one line for each top group, and one for all others. */
export function GroupCharts({ data, filters, empty, onBrush }: GroupChartsProps) {
  const openLogs = useOpenLogs(filters)
  const nameOf = useValueNames()
  const charted = data.groups.flatMap(({ value, series }) => (series ? [{ value, series }] : []))
  const all = [...charted.flatMap(({ series }) => series), ...data.otherSeries].toSorted((a, b) =>
    a.at < b.at ? -1 : 1,
  )
  const xs = fillSteps(all, data).map(({ at }) => at)
  const size = stepMs[data.step]
  const timeAxis = useTimeAxis(data, xs)
  const logsOf = (at: number, filter?: LogSearch) =>
    openLogs({ ...stepRange(at, data), ...countedFilters(filter, filters) })
  const stepsOf = (series: AnalyticsGroups['otherSeries']) =>
    new Map(series.map((item) => [Math.round((Date.parse(item.at) - (xs[0] ?? 0)) / size), item]))
  const lines: Line[] = charted.map(({ value, series }, index) => ({
    key: value ?? '',
    label: groupName(data.groupBy, value, nameOf),
    colour: groupColours[index] ?? 'muted',
    steps: stepsOf(series),
  }))
  if (data.otherSeries.length > 0)
    lines.push({ key: 'others', label: 'Others', colour: 'muted', steps: stepsOf(data.otherSeries) })

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
          // Zeros and unknown values have no requests to open.
          const canOpen = (position: number) => series.some(({ values }) => values[position])
          return (
            <ChartCard
              key={metric.title}
              title={metric.title}
              description={`By ${groupLabel(data.groupBy).toLowerCase()}`}
              alertDraft={alertDraft(
                metric.alert,
                metric.alert === 'requests' ? mergeFilters(filters, metric.filter ?? {}) : filters,
                data.groupBy,
              )}
              empty={empty}
              table={{
                heads: ['Time', ...series.map(({ label }) => label)],
                rows: xs.map((at, position) => ({
                  key: String(at),
                  cells: [
                    timeAxis.formatExactX(at),
                    ...series.map(({ values }) => show(values[position], metric.exact)),
                  ],
                  values: [
                    new Date(at).toISOString(),
                    ...series.map(({ values }) => convert(values[position], metric.inFile ?? Number)),
                  ],
                  onOpen: canOpen(position) ? () => logsOf(at, metric.filter) : undefined,
                })),
              }}
            >
              <LineChart
                xs={xs}
                {...timeAxis}
                series={series}
                formatY={metric.axis}
                formatExactY={metric.exact}
                onZoom={(from, to, end) => onBrush({ ...stepsRange(from, to, data), measure: metric.measure, ...end })}
                onPick={(at) => canOpen(xs.indexOf(at)) && logsOf(at, metric.filter)}
                hasLegend
                height={220}
              />
            </ChartCard>
          )
        })}
    </div>
  )
}
