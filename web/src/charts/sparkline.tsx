type SparklineProps = { values: readonly number[]; label: string }

const width = 96
const height = 20

/** Bars without axes, for a cell of a table. */
export function Sparkline({ values, label }: SparklineProps) {
  const max = Math.max(1, ...values)
  const step = width / Math.max(1, values.length)
  const barsOf = (isShown: (value: number) => boolean) =>
    values
      .map((value, at) => {
        const bar = value === 0 ? 1 : Math.max(2, (value / max) * height)
        return isShown(value) ? `M${at * step} ${height}v${-bar}h${step - 1}v${bar}z` : ''
      })
      .join('')
  return (
    <svg width={width} height={height} role="img" aria-label={label} className="text-danger">
      <path d={barsOf((value) => value === 0)} fill="var(--color-line)" />
      <path d={barsOf((value) => value > 0)} fill="currentColor" />
    </svg>
  )
}
