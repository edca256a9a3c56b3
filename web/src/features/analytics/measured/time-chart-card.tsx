import type { Analytics } from '#schemas/analytics.ts'
import { ChartCard } from '#web/charts/chart-card.tsx'
import { type ChartSeries, LineChart } from '#web/charts/line-chart.tsx'
import { formatKnown } from '#web/lib/text/format.ts'
import { stepsRange } from '../period/step-times.ts'
import type { useTimeAxis } from '../period/use-time-axis.ts'
import type { Brush } from '../why/brush-menu.tsx'
import type { ChartScale } from './chart-scale.ts'

type TimeChartCardProps = {
  title: string
  description: string
  alertDraft: object
  empty: string | undefined
  /** The range and its steps. */
  data: Pick<Analytics, 'from' | 'to' | 'step' | 'timezone'>
  /** Starts of the steps, ms since 1970. */
  xs: readonly number[]
  timeAxis: ReturnType<typeof useTimeAxis>
  series: readonly ChartSeries[]
  scale: ChartScale
  hasLegend?: boolean
  /** Spans both columns. */
  isWide?: boolean
  /** Whether a step, given by its index, has requests to open; by default, each has. */
  canOpen?: (index: number) => boolean
  onOpen: (at: number) => void
  onBrush: (brush: Brush) => void
}

/** Lines over time. A click opens the requests of a step, a drag brushes a range. */
export function TimeChartCard(props: TimeChartCardProps) {
  const {
    data,
    xs,
    timeAxis,
    series,
    scale,
    hasLegend = false,
    isWide = false,
    canOpen = () => true,
    onOpen,
    onBrush,
    ...card
  } = props
  const { exact, inFile = Number, axis, measure } = scale
  return (
    <ChartCard
      {...card}
      className={isWide ? 'lg:col-span-2' : undefined}
      table={{
        heads: ['Time', ...series.map(({ label }) => label)],
        rows: xs.map((at, index) => ({
          key: String(at),
          cells: [timeAxis.formatExactX(at), ...series.map(({ values }) => formatKnown(values[index], exact))],
          values: [
            new Date(at).toISOString(),
            ...series.map(({ values }) => {
              const value = values[index] ?? null
              return value === null ? null : inFile(value)
            }),
          ],
          onOpen: canOpen(index) ? () => onOpen(at) : undefined,
        })),
      }}
    >
      <LineChart
        xs={xs}
        {...timeAxis}
        series={series}
        formatY={axis}
        formatExactY={exact}
        onZoom={(from, to, end) => onBrush({ ...stepsRange(from, to, data), measure, ...end })}
        onPick={(at) => canOpen(xs.indexOf(at)) && onOpen(at)}
        hasLegend={hasLegend}
        height={isWide ? 264 : 220}
      />
    </ChartCard>
  )
}
