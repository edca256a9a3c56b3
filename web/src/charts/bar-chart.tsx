import { BarSeries, DataContext, XYChart } from '@visx/xychart'
import { useContext } from 'react'
import { type ChartColour, chartColours } from './chart-colours.ts'
import { chartTheme } from './chart-theme.ts'
import { positionOn } from './position-on.ts'
import { useChartWidth } from './use-chart-width.ts'

export type Bar = { key: string; label: string; value: number; text: string; colour?: ChartColour }

type BarChartProps = {
  bars: readonly Bar[]
  /** A click on a bar; for the keyboard the table behind the chart has the same. */
  onPick?: ((bar: Bar) => void) | undefined
}

const rowHeight = 46
const noMargin = { top: 0, right: 0, bottom: 0, left: 0 }

/** Horizontal bars, each with its name above it and its value behind it. */
export function BarChart({ bars, onPick }: BarChartProps) {
  const [box, width] = useChartWidth()
  const height = Math.max(1, bars.length) * rowHeight
  const top = Math.max(1e-9, ...bars.map((bar) => bar.value))
  return (
    <div ref={box} style={{ height }} className={onPick && 'cursor-pointer'}>
      {width > 0 && (
        <XYChart
          width={width}
          height={height}
          margin={noMargin}
          theme={chartTheme}
          xScale={{ type: 'linear', domain: [0, top * 1.0001], zero: true }}
          yScale={{ type: 'band', domain: bars.map((bar) => bar.key).toReversed(), padding: 0 }}
          horizontal
        >
          <Bars bars={bars} />
          {/* Not drawn: what xychart finds the bar under the pointer by. */}
          <g opacity={0}>
            <BarSeries
              dataKey="bars"
              data={[...bars]}
              xAccessor={(bar) => bar.value}
              yAccessor={(bar) => bar.key}
              onPointerUp={onPick && (({ datum }) => onPick(datum))}
            />
          </g>
        </XYChart>
      )}
    </div>
  )
}

function Bars({ bars }: { bars: readonly Bar[] }) {
  const { xScale, yScale, innerWidth } = useContext(DataContext)
  if (!xScale || !yScale || innerWidth === undefined) return null
  return bars.map(({ key, label, value, text, colour = 'accent' }) => {
    const y = positionOn(yScale, key)
    const name =
      label.length * 7.2 > innerWidth - 90 ? `${label.slice(0, Math.floor((innerWidth - 100) / 7.2))}…` : label
    return (
      <g key={key} transform={`translate(0 ${y})`} fontSize={12}>
        <title>{`${label}: ${text}`}</title>
        <text y={16} fill="var(--fg)" className="font-mono">
          {name}
        </text>
        <text x={innerWidth} y={16} textAnchor="end" fill="var(--fg)" className="font-mono tabular-nums">
          {text}
        </text>
        <rect y={24} width={innerWidth} height={8} rx={4} fill="var(--line)" fillOpacity={0.6} />
        <rect
          y={24}
          width={value > 0 ? Math.max(4, positionOn(xScale, value)) : 0}
          height={8}
          rx={4}
          fill={chartColours[colour]}
        />
      </g>
    )
  })
}
