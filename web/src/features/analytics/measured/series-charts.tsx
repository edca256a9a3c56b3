import type { ChartSeries } from '#web/charts/line-chart.tsx'
import type { Measures } from '#schemas/analytics.ts'
import { alertDraft } from '#web/lib/log-filters/alert-draft.ts'
import type { Brush } from '../why/brush-menu.tsx'
import { type ChartScale, costScale, countScale, timeScale } from './chart-scale.ts'
import type { MeasuredProps } from './measured-props.ts'
import { stepsBefore, usePreviousPeriod } from '../period/previous-period.ts'
import { fillSteps, stepRange } from '../period/step-times.ts'
import { useOpenLogs } from '../use-open-logs.ts'
import { useTimeAxis } from '../period/use-time-axis.ts'
import { TimeChartCard } from './time-chart-card.tsx'

type Chart = ChartScale & {
  title: string
  description: string
  series: readonly (Omit<ChartSeries, 'values'> & { of: (measures: Measures) => number | null })[]
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
    ...countScale,
    alert: 'errorRate',
  },
  {
    title: 'Response time',
    description: 'To the last byte',
    series: percentiles('p50', 'p95', 'p99'),
    ...timeScale,
  },
  {
    title: 'Time to first byte',
    description: 'What a reader of a stream waits for',
    series: percentiles('firstByteP50', 'firstByteP95', 'firstByteP99'),
    ...timeScale,
  },
  {
    title: 'Tokens',
    description: 'As the provider counts them',
    series: [
      { key: 'prompt', label: 'Prompt', colour: 'accent', area: true, of: ({ promptTokens }) => promptTokens },
      { key: 'completion', label: 'Completion', colour: 'accent-2', of: ({ completionTokens }) => completionTokens },
      { key: 'cached', label: 'Cached', colour: 'accent-3', of: ({ cachedTokens }) => cachedTokens },
    ],
    ...countScale,
    alert: 'cost',
  },
  {
    title: 'Cost',
    description: 'By the prices of the models',
    series: [{ key: 'cost', label: 'Cost', colour: 'accent', area: true, of: ({ costNanoUsd }) => costNanoUsd }],
    ...costScale,
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
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      {charts.map(({ title, description, series, ...scale }, index) => {
        const lines: ChartSeries[] = series.map(({ of, ...line }) => ({
          ...line,
          values: steps.map(({ item }) => (item ? of(item) : scale.idle)),
        }))
        const [main] = series
        if (main && previousSteps) {
          const values = previousSteps.map((item) => (item ? main.of(item) : item === null ? scale.idle : null))
          lines.push({ key: 'before', label: 'Previous', colour: 'muted', dashed: true, values })
        }
        return (
          <TimeChartCard
            key={title}
            title={title}
            description={description}
            alertDraft={alertDraft(scale.alert, filters)}
            empty={empty}
            data={data}
            xs={xs}
            timeAxis={timeAxis}
            series={lines}
            scale={scale}
            isWide={index === 0}
            onOpen={(at) => openLogs(stepRange(at, data))}
            onBrush={onBrush}
          />
        )
      })}
    </div>
  )
}
