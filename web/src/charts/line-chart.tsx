import {
  AreaSeries,
  Axis,
  buildChartTheme,
  DataContext,
  GlyphSeries,
  Grid,
  LineSeries,
  Tooltip,
  XYChart,
} from '@visx/xychart'
import { curveLinear } from '@visx/curve'
import { type ReactNode, useContext, useMemo } from 'react'
import { formatKnown } from '#web/lib/text/format.ts'
import { highest, xTicks } from './axis-labels.ts'
import { type ChartColour, chartColours } from './chart-colours.ts'
import { ChartTooltip } from './chart-tooltip.tsx'
import { SeriesLabels } from './series-labels.tsx'
import { useChartWidth } from './use-chart-width.ts'
import { type OnBrush, useZoomDrag, ZoomBand } from './zoom-drag.tsx'

export type ChartSeries = {
  key: string
  label: string
  colour: ChartColour
  /** One value per position; `null` if there is none. */
  values: readonly (number | null)[]
  area?: boolean
  dashed?: boolean
}

const tickLabel = { fill: 'var(--color-muted)', fontFamily: 'inherit', fontSize: 11, fontWeight: 400, stroke: 'none' }

// CSS variables, so that changing the theme needs no redraw.
const chartTheme = buildChartTheme({
  backgroundColor: 'transparent',
  colors: ['var(--color-accent-fill)'],
  gridColor: 'var(--color-line)',
  gridColorDark: 'var(--color-line)',
  svgLabelSmall: tickLabel,
  svgLabelBig: tickLabel,
  tickLength: 6,
})

// Constants, because a new margin object makes the chart measure itself again.
const wideMargin = { top: 12, right: 84, bottom: 28, left: 60 }
const narrowMargin = { ...wideMargin, right: 22 }

type Point = { x: number; index: number }

type LineChartProps = {
  xs: readonly number[]
  series: readonly ChartSeries[]
  /** Positions of the axis labels; evenly spaced by default. */
  ticks?: readonly number[] | undefined
  formatX: (x: number) => string
  /** For the tooltip, which has room for the full text. */
  formatExactX?: (x: number) => string
  formatY: (value: number) => string
  formatExactY: (value: number) => string
  height: number
  /** A legend above the chart instead of labels at the ends of the lines. */
  hasLegend?: boolean
  /** Called after a drag over the chart. */
  onZoom?: OnBrush | undefined
  /** Called on a click. */
  onPick?: ((x: number) => void) | undefined
}

/** Lines and areas over a shared axis, with a crosshair that shows exact values. */
export function LineChart(props: LineChartProps) {
  const { xs, series, ticks, formatX, formatExactX = formatX, formatY, formatExactY } = props
  const { height, hasLegend = false, onZoom, onPick } = props
  const [box, width] = useChartWidth()
  const points = useMemo(() => xs.map((x, index) => ({ x, index })), [xs])
  const zoom = useZoomDrag(onZoom, onPick)
  const isNarrow = width < 480
  const isLegendShown = series.length > 1 && (hasLegend || isNarrow)
  const max = highest(series)
  const margin = isNarrow || hasLegend ? narrowMargin : wideMargin
  return (
    <>
      {isLegendShown && <Legend series={series} />}
      <div
        ref={box}
        style={{ height }}
        className={onZoom || onPick ? 'cursor-crosshair touch-pan-y select-none' : 'touch-pan-y'}
      >
        {width > 0 && (
          <XYChart
            width={width}
            height={height}
            margin={margin}
            theme={chartTheme}
            xScale={{ type: 'linear', domain: [xs[0] ?? 0, xs.at(-1) ?? 1], zero: false }}
            yScale={{ type: 'linear', domain: [0, max], nice: 4, zero: true }}
            {...zoom.handlers}
          >
            <OnScales>
              <Grid columns={false} numTicks={4} />
              <Axis
                orientation="left"
                numTicks={4}
                hideAxisLine
                hideTicks
                tickFormat={(value) => formatY(Number(value))}
              />
              <Axis
                orientation="bottom"
                hideTicks
                stroke="var(--color-line)"
                tickValues={xTicks(ticks ?? xs, Math.floor(width / 96))}
                tickFormat={(value) => formatX(Number(value))}
              />
            </OnScales>
            {series.map((one) => (
              <Series key={one.key} points={points} series={one} />
            ))}
            <ZoomBand band={zoom.band} />
            {!isNarrow && !hasLegend && (
              <OnScales>
                <SeriesLabels series={series} />
              </OnScales>
            )}
            <Tooltip<Point>
              unstyled
              applyPositionStyle
              zIndex={40}
              snapTooltipToDatumX
              showVerticalCrosshair
              verticalCrosshairStyle={{ stroke: 'var(--color-control)', strokeDasharray: '3 3' }}
              renderTooltip={({ tooltipData }) => {
                const point = tooltipData?.nearestDatum?.datum
                return (
                  point && (
                    <ChartTooltip
                      title={formatExactX(point.x)}
                      rows={series.map(({ label, colour, values }) => ({
                        label,
                        colour,
                        value: formatKnown(values[point.index], formatExactY),
                      }))}
                    />
                  )
                )
              }}
            />
          </XYChart>
        )}
      </div>
    </>
  )
}

/** The chart has its scales only once its series are drawn; until then, all else would be in the wrong place. */
function OnScales({ children }: { children: ReactNode }) {
  const { dataRegistry } = useContext(DataContext)
  return dataRegistry && dataRegistry.keys().length > 0 && children
}

/** Replaces the labels at the line ends. */
const Legend = ({ series }: { series: readonly ChartSeries[] }) => (
  <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
    {series.map(({ key, label, colour }) => (
      <li key={key} className="flex min-w-0 items-center gap-1.5">
        <span
          className="size-2 shrink-0 rounded-full forced-color-adjust-none"
          style={{ background: chartColours[colour] }}
        />
        <span className="max-w-48 truncate">{label}</span>
      </li>
    ))}
  </ul>
)

function Series({ points, series }: { points: Point[]; series: ChartSeries }) {
  const { key, values, area = false, dashed = false } = series
  const colour = chartColours[series.colour]
  const common = {
    data: points,
    xAccessor: (point: Point) => point.x,
    yAccessor: (point: Point) => values[point.index] ?? Number.NaN,
  }
  return (
    <>
      {area && (
        <AreaSeries
          {...common}
          dataKey={`${key}-area`}
          curve={curveLinear}
          fill={colour}
          fillOpacity={0.12}
          renderLine={false}
          enableEvents={false}
        />
      )}
      <LineSeries
        {...common}
        dataKey={key}
        curve={curveLinear}
        stroke={colour}
        strokeWidth={1.75}
        {...(dashed && { strokeDasharray: '4 4' })}
      />
      <GlyphSeries
        {...common}
        data={points.filter(({ index }) => hasDot(values, index))}
        dataKey={`${key}-points`}
        enableEvents={false}
        size={5}
        renderGlyph={({ key: glyphKey, x: left, y: up, size }) => (
          <circle key={glyphKey} cx={left} cy={up} r={size / 2} fill={colour} />
        )}
      />
    </>
  )
}

/** Every value of a short series gets a dot; in a long series only isolated values do. */
function hasDot(values: ChartSeries['values'], index: number) {
  const isKnown = (at: number) => (values[at] ?? null) !== null
  return isKnown(index) && (values.length <= 31 || !(isKnown(index - 1) || isKnown(index + 1)))
}
