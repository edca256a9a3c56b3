import { TrendingDown, TrendingUp } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import type { Analytics, Measures } from '#schemas/analytics.ts'
import { formatNanoUsd } from '#schemas/cost-text.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { formatCompact, formatCount, formatCounted, formatPercent } from '#web/lib/text/format.ts'
import { type Metric, MetricStrip, WithUnit } from '#web/ui/metric-strip.tsx'
import { countedFilters, mergeFilters } from '../use-open-logs.ts'

const twoDecimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

type Total = {
  label: string
  of: (measures: Measures) => number | null
  format: (value: number) => string
  unit?: string
  /** Filters for the requests behind the number. */
  filter?: LogSearch
}

const tokens = ({ promptTokens, completionTokens }: Measures) => promptTokens + completionTokens
// Fractions of a cent are noise in a total of dollars.
const cost = (nano: number) => (nano < 1e9 ? formatNanoUsd(nano) : `$${twoDecimals.format(nano / 1e9)}`)
const whole = (value: number) => formatCount(Math.round(value))

const shownTotals: Total[] = [
  { label: 'Requests', of: ({ requests }) => requests, format: formatCount },
  { label: 'Errors', of: ({ errors }) => errors, format: formatCount, filter: { status: 'failed' } },
  { label: 'Tokens', of: tokens, format: (value) => (value < 1e6 ? formatCount(value) : formatCompact(value)) },
  { label: 'Cost', of: ({ costNanoUsd }) => costNanoUsd, format: cost, filter: { cost: 'known' } },
  {
    label: 'Availability',
    of: ({ requests, availability }) => (requests === 0 ? null : availability),
    format: twoDecimals.format,
    unit: '%',
  },
  { label: 'Response time, p50', of: ({ p50 }) => p50, format: whole, unit: ' ms' },
  { label: 'Response time, p95', of: ({ p95 }) => p95, format: whole, unit: ' ms' },
  { label: 'First byte, p95', of: ({ firstByteP95 }) => firstByteP95, format: whole, unit: ' ms' },
]

type MeasuredTotalsProps = { data: Analytics; filters: LogSearch }

/** Each number links to its requests. */
export function MeasuredTotals({ data: { totals, previous, from, to }, filters }: MeasuredTotalsProps) {
  const linkTo = (filter: LogSearch = {}) =>
    ({ to: '/request-logs', search: mergeFilters(filters, { from, to, ...countedFilters(filter, filters) }) }) as const
  const metrics = shownTotals.map(({ label, of, format, unit, filter }): Metric => {
    const value = of(totals)
    const shown = value === null ? '–' : <WithUnit value={format(value)} unit={unit ?? ''} />
    return {
      label,
      // A zero has no requests to link to.
      value: value ? (
        <Link {...linkTo(filter)} className="hover:text-accent hover:underline">
          {shown}
        </Link>
      ) : (
        shown
      ),
      note: <ChangeNote now={value} before={previous.requests === 0 ? null : of(previous)} unit={unit} />,
    }
  })
  return (
    <div className="flex flex-col gap-2">
      <MetricStrip label="Totals" metrics={metrics} />
      {totals.unpricedRequests > 0 && (
        <p className="text-xs text-muted">
          The cost leaves out{' '}
          <Link {...linkTo({ cost: 'unknown' })} className="underline hover:text-accent">
            {formatCounted(totals.unpricedRequests, 'request')} without a known cost
          </Link>
          .
        </p>
      )}
    </div>
  )
}

type ChangeNoteProps = { now: number | null; before: number | null; unit: string | undefined }

/**
 * The change since the previous period; for a percentage, in points. Both directions look the same, because an increase
 * is neither good nor bad.
 */
function ChangeNote({ now, before, unit }: ChangeNoteProps) {
  const isPercent = unit === '%'
  if (now === null || before === null || (before === 0 && !isPercent)) return 'Nothing to compare with'
  const change = isPercent ? now - before : ((now - before) / before) * 100
  if (Math.abs(change) < (isPercent ? 0.005 : 0.05)) return 'As in the period before'
  const Icon = change > 0 ? TrendingUp : TrendingDown
  return (
    <span className="inline-flex items-center gap-1">
      <Icon aria-hidden="true" className="size-3.5" />
      {isPercent ? `${twoDecimals.format(Math.abs(change))} points` : formatPercent(Math.abs(change))}{' '}
      {unit === ' ms' ? (change > 0 ? 'slower' : 'faster') : change > 0 ? 'more' : 'less'} than before
    </span>
  )
}
