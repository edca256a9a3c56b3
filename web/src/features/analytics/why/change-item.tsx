import { Link } from '@tanstack/react-router'
import type { Change, Changes } from '#schemas/analytics-changes.ts'
import { formatNanoUsd } from '#schemas/cost-text.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { fieldLabel, useValueNames } from '#web/lib/log-filters/values/value-fields.ts'
import { formatCount, formatPercent } from '#web/lib/text/format.ts'
import { mergeFilters } from '../use-open-logs.ts'
import { changeSearch, fieldOf } from './change-search.ts'

export const formatAmount = (measure: Changes['measure'], amount: number) =>
  measure === 'cost' ? formatNanoUsd(amount) : formatCount(Math.round(amount))

type ChangeItemProps = { change: Change; changes: Changes; filters: LogSearch }

/** One value that differs, with both counts and both shares. */
export function ChangeItem({ change, changes, filters }: ChangeItemProps) {
  const { dimension, value, now, expected, shareNow, shareBefore, explained } = change
  const nameOf = useValueNames(fieldOf(change), [value])
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b border-line px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="text-xs text-muted">{fieldLabel(fieldOf(change))}</p>
        <Link
          to="/request-logs"
          search={mergeFilters(filters, changeSearch(change, changes, filters))}
          className="font-mono break-all text-accent hover:underline"
        >
          {value === null ? (missing[dimension] ?? 'None') : nameOf(value)}
        </Link>
        <p className="text-xs text-muted tabular-nums">
          {formatAmount(changes.measure, now.amount)}, expected {formatAmount(changes.measure, expected)}
          {explained !== null && `; ${formatPercent(explained)} of the change`}
        </p>
      </div>
      <div className="w-full sm:w-56">
        <Share label="Now" percent={shareNow} colour="var(--color-accent-fill)" />
        <Share label="Before" percent={shareBefore} colour="var(--color-muted)" />
      </div>
    </li>
  )
}

const Share = ({ label, percent, colour }: { label: string; percent: number; colour: string }) => (
  <p className="flex items-center gap-2 text-xs tabular-nums">
    <span className="w-16 text-muted">{label}</span>
    <span aria-hidden="true" className="h-2 flex-1 rounded-full bg-line/60 forced-color-adjust-none">
      <span className="block h-full rounded-full" style={{ width: `${percent}%`, background: colour }} />
    </span>
    <span className="w-16 text-right">{formatPercent(percent)}</span>
  </p>
)

const missing: Partial<Record<Change['dimension'], string>> = {
  model: 'No model',
  token: 'No token',
  key: 'No key',
  errorCode: 'No error code',
}
