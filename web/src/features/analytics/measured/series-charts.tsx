import { ChartCard } from '#web/charts/chart-card.tsx'
import { type ChartSeries, LineChart } from '#web/charts/line-chart.tsx'
import type { AlertMeasure } from '#schemas/alerts.ts'
import type { Measures } from '#schemas/analytics.ts'
import { alertDraft } from '#web/lib/log-filters/alert-draft.ts'
import { formatCount, formatMs, formatNanoUsd } from '#web/lib/text/format.ts'
import type { Brush } from '../why/brush-menu.tsx'
import { convert, show } from './chart-cells.ts'
import type { MeasuredProps } from './measured-props.ts'
import { axisCount, axisMs, axisUsd } from '#web/charts/axis-text.ts'
import { stepsBefore, usePreviousPeriod } from '../period/previous-period.ts'
import { fillSteps, stepRange, stepsRange } from '../period/step-times.ts'
import { useOpenLogs } from '../use-open-logs.ts'
import { useTimeAxis } from '../period/use-time-axis.ts'

type Chart = {
  title: string
  description: string
  series: readonly (Omit<ChartSeries, 'values'> & { of: (measures: Measures) => number | null })[]
  /** Value of a step without requests. */
  idle: 0 | null
  /** The measure of an alert that is created from this chart: the one closest to what is shown. */
  alert: AlertMeasure
  axis: (value: number) => string
  exact: (value: number) => string
  /** Converts a value for export; by default, it stays the same. */
  inFile?: (value: number) => number
  /** The measure by which a brushed range is compared with the time before. */
  measure: Brush['measure']
}

const percentiles = (p50: keyof Measures, p95: keyof Measures, p99: keyof Measures): Chart['series'] => [
  { key: 'p50', label: 'p50', colour: 'accent', of: (measures) => measures[p50] },
  { key: 'p95', label: 'p95', colour: 'accent-2', of: (measures) => measures[p95] },
  { key: 'p99', label: 'p99', colour: 'accent-3', of: (measures) => measures[p99] },
]

const charts: Chart[] = [
  {
    title: 'Requests and errors',
    description: 'Drag to zoom in or to see what changed, click to see the logs',
    series: [
      { key: 'requests', label: 'Requests', colour: 'accent', area: true, of: ({ requests }) => requests },
      { key: 'errors', label: 'Errors', colour: 'danger', area: true, of: ({ errors }) => errors },
    ],
    idle: 0,
    alert: 'errorRate',
    axis: axisCount,
    exact: formatCount,
    measure: 'requests',
  },
  {
    title: 'Response time',
    description: 'To the last byte',
    series: percentiles('p50', 'p95', 'p99'),
    idle: null,
    alert: 'p95',
    axis: axisMs,
    exact: formatMs,
    measure: 'slow',
  },
  {
    title: 'Time to first byte',
    description: 'What a reader of a stream waits for',
    series: percentiles('firstByteP50', 'firstByteP95', 'firstByteP99'),
    idle: null,
    alert: 'p95',
    axis: axisMs,
    exact: formatMs,
    measure: 'slow',
  },
  {
    title: 'Tokens',
    description: 'As the provider counts them',
    series: [
      { key: 'prompt', label: 'Prompt', colour: 'accent', area: true, of: ({ promptTokens }) => promptTokens },
      { key: 'completion', label: 'Completion', colour: 'accent-2', of: ({ completionTokens }) => completionTokens },
      { key: 'cached', label: 'Cached', colour: 'accent-3', of: ({ cachedTokens }) => cachedTokens },
    ],
    idle: 0,
    alert: 'cost',
    axis: axisCount,
    exact: formatCount,
    measure: 'requests',
  },
  {
    title: 'Cost',
    description: 'By the prices of the models',
    series: [{ key: 'cost', label: 'Cost', colour: 'accent', area: true, of: ({ costNanoUsd }) => costNanoUsd }],
    idle: 0,
    alert: 'cost',
    axis: axisUsd,
    exact: formatNanoUsd,
    inFile: (nanoUsd) => nanoUsd / 1e9,
    measure: 'cost',
  },
]

type SeriesChartsProps = MeasuredProps & {
  /** Whether the previous period is drawn for the first line of each chart. */
  compare: boolean
  onBrush: (brush: Brush) => void
}

export function SeriesCharts({ data, filters, empty, compare, onBrush }: SeriesChartsProps) {
  const openLogs = useOpenLogs(filters)
  const steps = fillSteps(data.series, data)
  const xs = steps.map(({ at }) => at)
  const previous = usePreviousPeriod(data, filters, compare)
  const previousSteps = previous?.step === data.step ? stepsBefore(xs, data, previous.series) : undefined
  const timeAxis = useTimeAxis(data, xs)
  const logsOf = (at: number) => openLogs(stepRange(at, data))
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      {charts.map(({ title, description, series, idle, alert, axis, exact, inFile = Number, measure }, index) => {
        const lines: ChartSeries[] = series.map(({ of, ...line }) => ({
          ...line,
          values: steps.map(({ item }) => (item ? of(item) : idle)),
        }))
        const [main] = series
        if (main && previousSteps) {
          const values = previousSteps.map((item) => (item ? main.of(item) : item === null ? idle : null))
          lines.push({ key: 'before', label: 'Previous', colour: 'muted', dashed: true, values })
        }
        return (
          <ChartCard
            key={title}
            title={title}
            description={description}
            {...(index === 0 && { className: 'lg:col-span-2' })}
            alertDraft={alertDraft(alert, filters)}
            empty={empty}
            table={{
              heads: ['Time', ...lines.map(({ label }) => label)],
              rows: steps.map(({ at }, position) => ({
                key: String(at),
                cells: [timeAxis.formatExactX(at), ...lines.map(({ values }) => show(values[position], exact))],
                values: [new Date(at).toISOString(), ...lines.map(({ values }) => convert(values[position], inFile))],
                onOpen: () => logsOf(at),
              })),
            }}
          >
            <LineChart
              xs={xs}
              {...timeAxis}
              series={lines}
              formatY={axis}
              formatExactY={exact}
              onZoom={(from, to, end) => onBrush({ ...stepsRange(from, to, data), measure, ...end })}
              onPick={logsOf}
              height={index === 0 ? 264 : 220}
            />
          </ChartCard>
        )
      })}
    </div>
  )
}
