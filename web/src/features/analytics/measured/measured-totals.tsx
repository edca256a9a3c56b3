import type { Analytics, Measures } from '#schemas/analytics.ts'
import { formatCompact, formatCount, formatNanoUsd } from '#web/lib/text/format.ts'
import { ChangeNote } from '../period/change-note.tsx'
import { type Metric, MetricStrip } from '../metric-strip.tsx'

const twoDecimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

type Reading = {
  label: string
  of: (measures: Measures) => number | null
  show: (value: number) => string
  unit?: string
}

const tokens = ({ promptTokens, completionTokens }: Measures) => promptTokens + completionTokens
// Millionths say nothing in a sum of dollars.
const cost = (nano: number) => (nano < 1e9 ? formatNanoUsd(nano) : `$${twoDecimals.format(nano / 1e9)}`)
const whole = (value: number) => formatCount(Math.round(value))

const readings: Reading[] = [
  { label: 'Requests', of: ({ requests }) => requests, show: formatCount },
  { label: 'Errors', of: ({ errors }) => errors, show: formatCount },
  { label: 'Tokens', of: tokens, show: (value) => (value < 1e6 ? formatCount(value) : formatCompact(value)) },
  { label: 'Cost', of: ({ costNanoUsd }) => costNanoUsd, show: cost },
  {
    label: 'Availability',
    of: ({ availability }) => availability,
    show: (value) => twoDecimals.format(value),
    unit: '%',
  },
  { label: 'Response time, p50', of: ({ p50 }) => p50, show: whole, unit: ' ms' },
  { label: 'Response time, p95', of: ({ p95 }) => p95, show: whole, unit: ' ms' },
  { label: 'First byte, p95', of: ({ firstByteP95 }) => firstByteP95, show: whole, unit: ' ms' },
]

export function MeasuredTotals({ data: { totals, previous } }: { data: Analytics }) {
  const metrics = readings.map(({ label, of, show, unit }): Metric => {
    const value = of(totals)
    return {
      label,
      value:
        value === null ? (
          '–'
        ) : (
          <span>
            {show(value)}
            {unit && <span className="text-sm font-normal text-muted">{unit}</span>}
          </span>
        ),
      note: <ChangeNote now={value} before={previous.requests === 0 ? null : of(previous)} />,
    }
  })
  return (
    <div className="flex flex-col gap-2">
      <MetricStrip label="Totals" metrics={metrics} />
      {totals.unpricedRequests > 0 && (
        <p className="text-xs text-muted">
          The cost of {formatCount(totals.unpricedRequests)} requests is not known; the sum is without them.
        </p>
      )}
    </div>
  )
}
