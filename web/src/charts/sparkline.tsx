type SparklineProps = { values: readonly number[]; label: string }

const width = 96
const height = 20

/** Bars without axes, for a cell of a table. */
export function Sparkline({ values, label }: SparklineProps) {
  const max = Math.max(1, ...values)
  const step = width / Math.max(1, values.length)
  return (
    <svg width={width} height={height} role="img" aria-label={label} className="text-danger">
      {values.map((value, at) => {
        const bar = value === 0 ? 1 : Math.max(2, (value / max) * height)
        return (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- a bar is its position
            key={at}
            x={at * step}
            y={height - bar}
            width={step - 1}
            height={bar}
            fill={value === 0 ? 'var(--line)' : 'currentColor'}
          />
        )
      })}
    </svg>
  )
}
