import { Link } from '@tanstack/react-router'
import type { Change, Changes } from '#schemas/analytics-changes.ts'
import { credentialName, useCredentialNames } from '#web/lib/credential-names.ts'
import { formatCount, formatNanoUsd, formatPercent } from '#web/lib/text/format.ts'
import { visibleLine } from '#web/lib/text/visible-text.ts'
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
export function ChangeItem({ change, changes }: { change: Change; changes: Changes }) {
  const { dimension, tag, now, expected, shareNow, shareBefore, explained } = change
  const search = changeSearch(change, changes)
  const name = useValueName(change)
  return (
    <li className="grid gap-x-6 gap-y-1 border-b border-line px-4 py-3 last:border-b-0 md:grid-cols-[1fr_16rem_7rem]">
      <div className="min-w-0">
        <p className="text-xs text-muted">{tag === null ? dimensionLabels[dimension] : `Tag ${visibleLine(tag)}`}</p>
        {search ? (
          <Link to="/request-logs" search={search} className="font-mono break-all text-accent hover:underline">
            {name}
          </Link>
        ) : (
          <span className="font-mono break-all">{name}</span>
        )}
        <p className="text-xs text-muted tabular-nums">
          {formatAmount(changes.measure, now.amount)}, expected {formatAmount(changes.measure, expected)}
        </p>
      </div>
      <div className="flex flex-col justify-center gap-1">
        <Share label="Now" percent={shareNow} className="bg-accent-fill" />
        <Share label="Before" percent={shareBefore} className="bg-muted" />
      </div>
      <p className="self-center text-xs text-muted md:text-right">
        {explained === null ? null : `${formatPercent(explained)} of the change`}
      </p>
    </li>
  )
}

const Share = ({ label, percent, className }: { label: string; percent: number; className: string }) => (
  <p className="grid grid-cols-[3.5rem_1fr_3.5rem] items-center gap-2 text-xs tabular-nums">
    <span className="text-muted">{label}</span>
    <span aria-hidden="true" className="h-1.5 rounded-full bg-line/60">
      <span className={`block h-full rounded-full ${className}`} style={{ width: `${percent}%` }} />
    </span>
    <span className="text-right">{formatPercent(percent)}</span>
  </p>
)

const missing = { model: 'No model', token: 'No token', key: 'No key', errorCode: 'No error code' } as const

const outcomes: Record<string, string> = {
  completed: 'Completed',
  client_aborted: 'Client left before the end',
  upstream_failed: 'Provider failed',
  interrupted: 'Interrupted: the proxy stopped',
}

function useValueName({ dimension, value }: Change): string {
  const credentials = useCredentialNames()
  if (value === null) return dimension in missing ? missing[dimension as keyof typeof missing] : 'None'
  if (dimension === 'token') return visibleLine(credentialName(credentials.tokens, value))
  if (dimension === 'key') return visibleLine(credentialName(credentials.keys, value))
  if (dimension === 'outcome') return outcomes[value] ?? value
  return value === '0' && dimension === 'status' ? 'No response' : visibleLine(value)
}
