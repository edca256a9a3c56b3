import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { movedIndex } from '#web/lib/browser/moved-index.ts'
import { apartFromNext, xTicks } from './axis-labels.ts'
import { useChartWidth } from './use-chart-width.ts'

type HistogramBar = {
  /** Start of the step, ms since 1970. */
  at: number
  value: number
  /** The part of the value that is drawn as errors. */
  errors: number
}

type BarHistogramProps = {
  label: string
  bars: readonly HistogramBar[]
  /** End of the last step, ms since 1970. */
  end: number
  formatX: (at: number) => string
  /** Describes the steps from one index to another, for tooltip and screen reader. */
  describe: (first: number, last: number) => string
  /** Called with the steps that a drag, a click or Enter selects. */
  onBrush: (first: number, last: number) => void
}

/** Indexes of the steps where the selection began and where it ends. */
type Brush = { anchor: number; head: number }

const height = 72
const axisHeight = 20
/** Half the width of the longest label, `Nov 28, 20:00`, px. */
const halfLabel = 42

/** Bars over time. A drag selects steps; so do the arrow keys (with Shift for several) and Enter. */
export function BarHistogram({ label, bars, end, formatX, describe, onBrush }: BarHistogramProps) {
  const [box, width] = useChartWidth()
  const [brush, setBrush] = useState<Brush | null>(null)
  const [isDragging, setDragging] = useState(false)
  const last = bars.length - 1
  const start = bars[0]?.at ?? 0
  const span = Math.max(1, end - start)
  const max = Math.max(1, ...bars.map(({ value }) => value))
  const xAt = (at: number) => ((at - start) / span) * width
  const xOf = (index: number) => xAt(bars[index]?.at ?? end)
  const labels = xTicks(
    bars.map(({ at }) => at),
    Math.max(1, Math.floor(width / 110)),
  ).map((at) => ({ at, x: Math.min(width - halfLabel, Math.max(halfLabel, xAt(at))) }))
  const head = Math.min(brush?.head ?? last, last)
  const from = Math.min(brush?.anchor ?? head, head)
  const to = Math.min(last, Math.max(brush?.anchor ?? head, head))

  function select() {
    setBrush(null)
    onBrush(from, to)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && brush) select()
    else if (event.key === 'Escape' && brush) setBrush(null)
    else {
      const next = movedIndex(event, ['ArrowLeft', 'ArrowRight'], head, last)
      if (next === undefined) return
      setBrush({ anchor: event.shiftKey ? (brush?.anchor ?? head) : next, head: next })
    }
    event.preventDefault()
  }

  function indexAt(event: PointerEvent<HTMLElement>) {
    const at = start + ((event.clientX - event.currentTarget.getBoundingClientRect().left) / width) * span
    return Math.max(
      0,
      bars.findLastIndex((bar) => bar.at <= at),
    )
  }

  return (
    <div
      ref={box}
      className="relative rounded-sm outline-offset-4 outline-accent has-focus-visible:outline-2"
      style={{ height: height + axisHeight }}
    >
      {width > 0 && (
        <svg width={width} height={height + axisHeight} fontSize={11} fill="var(--color-muted)" aria-hidden="true">
          <line x1={0} x2={width} y1={height} y2={height} stroke="var(--color-line)" />
          {bars.map(({ at, value, errors }, index) => {
            const [x, barWidth] = [xOf(index), Math.max(1, xOf(index + 1) - xOf(index) - 1)]
            const barHeight = value === 0 ? 0 : Math.max(2, (value / max) * height)
            const errorHeight = errors === 0 ? 0 : Math.max(2, (errors / max) * height)
            return (
              <g key={at}>
                <rect
                  x={x}
                  y={height - barHeight}
                  width={barWidth}
                  height={barHeight}
                  fill="var(--color-accent-fill)"
                />
                <rect x={x} y={height - errorHeight} width={barWidth} height={errorHeight} fill="var(--color-danger)" />
              </g>
            )
          })}
          {brush && (
            <rect
              x={xOf(from)}
              width={Math.max(2, xOf(to + 1) - xOf(from))}
              height={height}
              fill="var(--color-accent-fill)"
              fillOpacity={0.2}
              stroke="var(--color-accent)"
            />
          )}
          {apartFromNext(labels, 2 * halfLabel).map(({ at, x }) => (
            <text key={at} x={x} y={height + 15} textAnchor="middle">
              {formatX(at)}
            </text>
          ))}
        </svg>
      )}
      <input
        type="range"
        aria-label={label}
        aria-valuetext={describe(from, to)}
        title={brush ? describe(from, to) : undefined}
        min={0}
        max={last}
        value={head}
        onChange={(event) => setBrush({ anchor: event.target.valueAsNumber, head: event.target.valueAsNumber })}
        onKeyDown={onKeyDown}
        onBlur={() => setBrush(null)}
        // The native slider would move its thumb.
        onMouseDown={(event) => event.preventDefault()}
        onPointerDown={(event) => {
          // On a touch screen, a drag scrolls the page.
          if (event.pointerType !== 'mouse' || event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setDragging(true)
          setBrush({ anchor: indexAt(event), head: indexAt(event) })
        }}
        onPointerMove={(event) => {
          const index = indexAt(event)
          setBrush((current) => ({ anchor: isDragging && current ? current.anchor : index, head: index }))
        }}
        onPointerLeave={() => !isDragging && setBrush(null)}
        onPointerUp={() => {
          if (isDragging) select()
          setDragging(false)
        }}
        className="absolute inset-0 m-0 size-full cursor-crosshair touch-pan-y appearance-none opacity-0"
      />
    </div>
  )
}
