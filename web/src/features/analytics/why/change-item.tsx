import { Link } from '@tanstack/react-router'
import type { Change, Changes } from '#schemas/analytics-changes.ts'
import { RequestOutcome } from '#schemas/request-outcome.ts'
import { credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { outcomeLabels } from '#web/lib/log-filters/outcome-labels.ts'
import { formatCount, formatNanoUsd, formatPercent } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
import { mergeFilters } from '../use-open-logs.ts'
import { changeSearch } from './change-search.ts'

const dimensionLabels = {
  model: 'Model',
  endpoint: 'Endpoint',
  token: 'Secure token',
  key: 'API key',
  tag: 'Tag',
  status: 'Status',
  errorCode: 'Error code',
  outcome: 'Outcome',
} satisfies Record<Change['dimension'], string>

export const formatAmount = (measure: Changes['measure'], amount: number) =>
  measure === 'cost' ? formatNanoUsd(amount) : formatCount(Math.round(amount))

/** One value that differs, with both counts and both shares. */
type ChangeItemProps = { change: Change; changes: Changes; filters: LogSearch }

export function ChangeItem({ change, changes, filters }: ChangeItemProps) {
  const { dimension, tag, now, expected, shareNow, shareBefore, explained } = change
  const name = useValueName(change)
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b border-line px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="text-xs text-muted">{tag === null ? dimensionLabels[dimension] : `Tag ${visibleLine(tag)}`}</p>
        <Link
          to="/request-logs"
          search={mergeFilters(filters, changeSearch(change, changes, filters))}
          className="font-mono break-all text-accent hover:underline"
        >
          {name}
        </Link>
        <p className="text-xs text-muted tabular-nums">
          {formatAmount(changes.measure, now.amount)}, expected {formatAmount(changes.measure, expected)}
          {explained !== null && `; ${formatPercent(explained)} of the change`}
        </p>
      </div>
      <div className="w-full sm:w-56">
        <Share label="Now" percent={shareNow} colour="var(--accent-fill)" />
        <Share label="Before" percent={shareBefore} colour="var(--muted)" />
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

const missing = { model: 'No model', token: 'No token', key: 'No key', errorCode: 'No error code' } as const

function useValueName({ dimension, value }: Change): string {
  const credentials = useCredentialNames()
  if (value === null) return dimension in missing ? missing[dimension as keyof typeof missing] : 'None'
  if (dimension === 'token') return visibleLine(credentialName(credentials.tokens, value))
  if (dimension === 'key') return visibleLine(credentialName(credentials.keys, value))
  if (dimension === 'outcome') return outcomeLabels[RequestOutcome.parse(value)]
  return value === '0' && dimension === 'status' ? 'No response' : visibleLine(value)
}
