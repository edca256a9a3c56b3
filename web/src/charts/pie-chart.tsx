import { Pie } from '@visx/shape'
import { type ChartColour, chartColours } from './chart-colours.ts'

export type Slice = { key: string; label: string; value: number; text: string; colour: ChartColour }

type PieChartProps = { slices: readonly Slice[]; total: string; onPick?: ((slice: Slice) => void) | undefined }

const size = 200

/** A ring chart with a legend, in the order of the slices. */
export const PieChart = ({ slices, total, onPick }: PieChartProps) => (
  <div className="flex flex-wrap items-center justify-center gap-x-10 gap-y-6">
    <svg width={size} height={size} aria-hidden="true">
      <g transform={`translate(${size / 2} ${size / 2})`}>
        <Pie<Slice>
          data={[...slices]}
          pieValue={(slice) => slice.value}
          pieSort={null}
          outerRadius={size / 2}
          innerRadius={size / 2 - 26}
          padAngle={slices.length > 1 ? 0.012 : 0}
          cornerRadius={2}
        >
          {({ arcs, path }) =>
            arcs.map((arc) => (
              // Keyboard users get the same from the table behind the chart.
              <path
                role="presentation"
                key={arc.data.key}
                d={path(arc) ?? ''}
                fill={chartColours[arc.data.colour]}
                className={onPick && 'cursor-pointer transition-opacity hover:opacity-80'}
                onClick={() => onPick?.(arc.data)}
              >
                <title>{`${arc.data.label}: ${arc.data.text}`}</title>
              </path>
            ))
          }
        </Pie>
        <text textAnchor="middle" dy="0.1em" fontSize={20} fontWeight={600} fill="var(--color-fg)">
          {total}
        </text>
        <text textAnchor="middle" dy="1.7em" fontSize={12} fill="var(--color-muted)">
          requests
        </text>
      </g>
    </svg>
    <ul className="min-w-48 flex-1" aria-hidden="true">
      {slices.map((slice) => (
        <li key={slice.key} className="flex items-center gap-2.5 border-b border-line py-2 last:border-b-0">
          <span
            className="size-2.5 shrink-0 rounded-full forced-color-adjust-none"
            style={{ background: chartColours[slice.colour] }}
          />
          <span className="truncate" title={slice.label}>
            {slice.label}
          </span>
          <span className="ml-auto font-mono text-xs tabular-nums">{slice.text}</span>
        </li>
      ))}
    </ul>
  </div>
)
