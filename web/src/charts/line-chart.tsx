import { AreaSeries, Axis, GlyphSeries, Grid, LineSeries, Tooltip, XYChart } from '@visx/xychart'
import { curveMonotoneX } from '@visx/curve'
import { useMemo } from 'react'
import { type ChartColour, chartColours } from './chart-colours.ts'
import { chartTheme } from './chart-theme.ts'
import { ChartTooltip } from './chart-tooltip.tsx'
import { SeriesLabels } from './series-labels.tsx'
import { useChartWidth } from './use-chart-width.ts'
import { xTicks } from './x-ticks.ts'
import { useZoomDrag, ZoomBand } from './zoom-drag.tsx'

export type ChartSeries = {
  key: string
  label: string
  colour: ChartColour
  /** One a position; `null` where nothing is known. */
  values: readonly (number | null)[]
  area?: boolean
  dashed?: boolean
}

// The same objects at every rendering: the chart measures itself anew for others.
const wideMargin = { top: 12, right: 84, bottom: 28, left: 60 }
const narrowMargin = { ...wideMargin, right: 22 }

type Point = { x: number; index: number }

export type LineChartProps = {
  xs: readonly number[]
  series: readonly ChartSeries[]
  /** Where the axis has names; evenly spread without. */
  ticks?: readonly number[] | undefined
  formatX: (x: number) => string
  /** For the tooltip, where there is room for all of it. */
  formatExactX?: (x: number) => string
  formatY: (value: number) => string
  formatExactY?: (value: number) => string
  height?: number
  /** A drag over the chart: from one position up to another, both included. */
  onZoom?: ((from: number, to: number) => void) | undefined
  /** A click at a position. */
  onPick?: ((x: number) => void) | undefined
}

/** Lines and areas over one axis, with a crosshair that tells the exact values. */
export function LineChart(props: LineChartProps) {
  const {
    xs,
    series,
    ticks,
    formatX,
    formatExactX = formatX,
    formatY,
    formatExactY = formatY,
    height = 240,
    onZoom,
    onPick,
  } = props
  const [box, width] = useChartWidth()
  const points = useMemo(() => xs.map((x, index) => ({ x, index })), [xs])
  const zoom = useZoomDrag(onZoom, onPick)
  const isNarrow = width < 480
  const top = Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const margin = isNarrow ? narrowMargin : wideMargin
  return (
    <>
      {isNarrow && series.length > 1 && <Legend series={series} />}
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
            yScale={{ type: 'linear', domain: [0, top], nice: 4, zero: true }}
            {...zoom.handlers}
          >
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
              stroke="var(--line)"
              tickValues={xTicks(ticks ?? xs, Math.floor(width / 96))}
              tickFormat={(value) => formatX(Number(value))}
            />
            {series.map((one) => (
              <Series key={one.key} points={points} series={one} />
            ))}
            <ZoomBand band={zoom.band} />
            {!isNarrow && <SeriesLabels series={series} />}
            <Tooltip<Point>
              unstyled
              applyPositionStyle
              zIndex={40}
              snapTooltipToDatumX
              showVerticalCrosshair
              verticalCrosshairStyle={{ stroke: 'var(--control)', strokeDasharray: '3 3' }}
              renderTooltip={({ tooltipData }) => {
                const point = tooltipData?.nearestDatum?.datum
                return (
                  point && (
                    <ChartTooltip
                      title={formatExactX(point.x)}
                      rows={series.map(({ label, colour, values }) => {
                        const value = values[point.index] ?? null
                        return { label, colour, value: value === null ? '–' : formatExactY(value) }
                      })}
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

/** Only where there is no room for names at the ends of the lines. */
const Legend = ({ series }: { series: readonly ChartSeries[] }) => (
  <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
    {series.map(({ key, label, colour }) => (
      <li key={key} className="flex items-center gap-1.5">
        <span className="size-2 rounded-full" style={{ background: chartColours[colour] }} />
        {label}
      </li>
    ))}
  </ul>
)

function Series({ points, series }: { points: Point[]; series: ChartSeries }) {
  const { key, values, area = false, dashed = false } = series
  const colour = chartColours[series.colour]
  const x = (point: Point) => point.x
  const y = (point: Point) => values[point.index] ?? Number.NaN
  const common = { data: points, xAccessor: x, yAccessor: y }
  return (
    <>
      {area && (
        <AreaSeries
          {...common}
          dataKey={`${key}-area`}
          curve={curveMonotoneX}
          fill={colour}
          fillOpacity={0.12}
          renderLine={false}
          enableEvents={false}
        />
      )}
      <LineSeries
        {...common}
        dataKey={key}
        curve={curveMonotoneX}
        stroke={colour}
        strokeWidth={1.75}
        {...(dashed && { strokeDasharray: '4 4' })}
      />
      <GlyphSeries
        {...common}
        data={points.filter(({ index }) => isDotted(values, index))}
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

/** Few values each get a dot; of many only those that no line leads to. */
function isDotted(values: ChartSeries['values'], index: number) {
  const isKnown = (at: number) => (values[at] ?? null) !== null
  return isKnown(index) && (values.length <= 31 || !(isKnown(index - 1) || isKnown(index + 1)))
}
