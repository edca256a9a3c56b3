import { classNames } from '#web/lib/text/class-names.ts'
import { chartColours } from './chart-colours.ts'

type Bar = {
  key: string
  label: string
  /** `null`: unknown, shown without a bar. */
  value: number | null
  text: string
}

type BarChartProps = {
  bars: readonly Bar[]
  /** Called on a click; keyboard users get the same from the table behind the chart. */
  onPick?: ((bar: Bar) => void) | undefined
}

/** Horizontal bars with their labels and values above them. */
export function BarChart({ bars, onPick }: BarChartProps) {
  const max = Math.max(1e-9, ...bars.map((bar) => bar.value ?? 0))
  return bars.map((bar) => (
    <div
      role="presentation"
      key={bar.key}
      title={`${bar.label}: ${bar.text}`}
      onClick={() => onPick?.(bar)}
      className={classNames('h-11.5 pt-1', onPick && 'cursor-pointer')}
    >
      <p className="flex gap-4 font-mono text-xs">
        <span className="truncate">{bar.label}</span>
        <span className="ml-auto tabular-nums">{bar.text}</span>
      </p>
      {bar.value !== null && (
        <div className="mt-1 h-2 rounded-full bg-line/60 forced-color-adjust-none">
          <div
            className="h-full rounded-full"
            style={{
              width: `${(bar.value / max) * 100}%`,
              minWidth: bar.value > 0 ? 4 : 0,
              background: chartColours.accent,
            }}
          />
        </div>
      )}
    </div>
  ))
}
