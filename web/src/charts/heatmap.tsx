import { useMemo } from 'react'
import { useChartWidth } from './use-chart-width.ts'
import { xTicks } from './axis-labels.ts'

type HeatmapProps = {
  xs: readonly number[]
  /** Row labels, from the bottom up. */
  rows: readonly string[]
  /** `counts[x][row]` */
  counts: readonly (readonly number[])[]
  /** Positions of the axis labels; evenly spaced by default. */
  ticks?: readonly number[] | undefined
  formatX: (x: number) => string
  /** Tooltip of a cell. */
  describe: (x: number, row: number, count: number) => string
  onPick?: ((x: number, row: number) => void) | undefined
}

const rowHeight = 18
const margin = { left: 60, right: 22, bottom: 24 }

/** Counts per band over time: the higher the count, the stronger the colour. */
export function Heatmap({ xs, rows, counts, ticks, formatX, describe, onPick }: HeatmapProps) {
  const [box, width] = useChartWidth()
  const max = useMemo(() => Math.max(1, ...counts.flat()), [counts])
  const height = rows.length * rowHeight
  const cell = Math.max(1, (width - margin.left - margin.right) / Math.max(1, xs.length))
  const labelled = new Set(xTicks(ticks ?? xs, Math.floor(width / 110)))
  const yOf = (row: number) => (rows.length - 1 - row) * rowHeight
  return (
    <div ref={box} style={{ height: height + margin.bottom }}>
      {width > 0 && (
        <svg width={width} height={height + margin.bottom} fontSize={11} fill="var(--color-muted)">
          {rows.map((name, row) => (
            <text key={name} x={margin.left - 8} y={yOf(row) + rowHeight / 2} dy="0.33em" textAnchor="end">
              {name}
            </text>
          ))}
          <g transform={`translate(${margin.left} 0)`}>
            <rect width={cell * xs.length} height={height} fill="var(--color-line)" fillOpacity={0.35} />
            {counts.map((column, index) =>
              column.map((count, row) =>
                count === 0 ? null : (
                  // Keyboard users get the same from the table behind the chart.
                  <rect
                    role="presentation"
                    key={`${xs[index]}-${rows[row]}`}
                    x={index * cell}
                    y={yOf(row)}
                    width={Math.max(1, cell - (cell > 4 ? 1 : 0))}
                    height={rowHeight - 1}
                    fill="var(--color-accent-fill)"
                    fillOpacity={0.12 + 0.88 * Math.sqrt(count / max)}
                    className={onPick && 'cursor-pointer'}
                    onClick={() => onPick?.(xs[index] ?? 0, row)}
                  >
                    <title>{describe(xs[index] ?? 0, row, count)}</title>
                  </rect>
                ),
              ),
            )}
            {xs.map(
              (x, index) =>
                labelled.has(x) && (
                  <text key={x} x={(index + 0.5) * cell} y={height + 16} textAnchor="middle">
                    {formatX(x)}
                  </text>
                ),
            )}
          </g>
        </svg>
      )}
    </div>
  )
}
