import { useMutation } from '@tanstack/react-query'
import { Copy, Pencil, RefreshCw, Trash2 } from 'lucide-react'
import type { SecureToken } from '#schemas/secure-tokens.ts'
import { classNames } from '#web/lib/text/class-names.ts'
import { formatCount, formatCounted } from '#web/lib/text/format.ts'
import { tokenStatus } from '#web/lib/token-status.ts'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Name } from '#web/ui/name.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { LogBodiesMenu, LoggedBodies } from './logged-bodies.tsx'
import { PreviousSecret } from './previous-secret.tsx'
import { TokenBudget } from './token-budget.tsx'
import { copyTokenMutation, toggleTokenMutation } from './secure-tokens-mutations.ts'

const tones = { Active: 'ok', Inactive: 'neutral', Expired: 'danger' } as const

type TokenCardProps = { token: SecureToken; onEdit: () => void; onRotate: () => void; onDelete: () => void }

export function TokenCard({ token, onEdit, onRotate, onDelete }: TokenCardProps) {
  const { mutate: toggle, isPending } = useMutation(toggleTokenMutation)
  const { mutate: copy, isPending: isCopying } = useMutation(copyTokenMutation)
  const status = tokenStatus(token)
  const restrictions = restrictionFacts(token)
  const budgets = budgetsOf(token)
  return (
    <li
      className={classNames(
        'flex flex-col gap-3 rounded-panel border border-line p-4',
        status === 'Active' ? 'bg-surface' : 'border-dashed text-muted',
      )}
    >
      <div className="flex items-center gap-3 max-sm:flex-wrap">
        <h2 className="min-w-0 font-semibold break-words max-sm:basis-full sm:truncate">
          <Name text={token.name} />
        </h2>
        <Badge tone={tones[status]} dot>
          {status}
        </Badge>
        <div className="ml-auto flex items-center gap-2">
          <Switch
            aria-label={`${token.name} is active`}
            checked={token.isActive}
            disabled={status === 'Expired'}
            unavailable={isPending}
            onCheckedChange={(isActive) => toggle({ id: token.id, isActive })}
          />
          <IconButton label={`Edit ${token.name}`} icon={<Pencil />} onClick={onEdit} />
          <IconButton variant="ghost-danger" label={`Delete ${token.name}`} icon={<Trash2 />} onClick={onDelete} />
        </div>
      </div>
      <div className="flex items-center gap-1">
        <span translate="no" className="min-w-0 truncate font-mono text-xs">
          {token.token}
        </span>
        <IconButton
          label={`Copy the full token ${token.name}`}
          icon={isCopying ? <Spinner /> : <Copy />}
          unavailable={isCopying}
          onClick={() => copy(token.id)}
        />
        <IconButton label={`Rotate ${token.name}`} icon={<RefreshCw />} onClick={onRotate} />
        <LogBodiesMenu token={token} />
      </div>
      <Facts
        layout="grid"
        facts={[
          { label: 'Usage', value: formatCount(token.usageCount), numeric: true },
          { label: 'Last used', value: <DateTime value={token.lastUsed} precision="minute" empty="Never" /> },
          { label: 'Expires', value: <DateTime value={token.expiresAt} precision="day" empty="Never" /> },
          { label: 'Created', value: <DateTime value={token.createdAt} precision="day" /> },
        ]}
      />
      {token.previousSecret && <PreviousSecret token={token} secret={token.previousSecret} />}
      {token.logBodiesUntil && <LoggedBodies token={token} until={token.logBodiesUntil} />}
      {restrictions.length > 0 && (
        <dl className="flex flex-col gap-1 border-t border-line pt-3">
          {restrictions.map(({ label, value }) => (
            <div key={label} className="flex gap-3">
              <dt className="w-32 shrink-0 text-xs leading-5 text-muted">{label}</dt>
              <dd className="min-w-0 font-mono text-xs leading-5 break-words">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {budgets.length > 0 && (
        <div className="flex flex-col gap-3 border-t border-line pt-3">
          {budgets.map((budget) => (
            <TokenBudget key={budget.label} {...budget} />
          ))}
        </div>
      )}
    </li>
  )
}

function restrictionFacts(token: SecureToken) {
  const { models, allowedAddresses } = token
  const limits = limitTexts(token)
  return [
    models && { label: 'Models', value: models.join(', ') },
    allowedAddresses && { label: 'Allowed addresses', value: allowedAddresses.join(', ') },
    limits.length > 0 && { label: 'Limits', value: limits.join(', ') },
  ].filter((fact) => fact !== null && fact !== false)
}

const limitTexts = ({ requestsPerMinute, tokensPerMinute, maxConcurrentRequests }: SecureToken) =>
  [
    requestsPerMinute !== null && `${formatCounted(requestsPerMinute, 'request')} a minute`,
    tokensPerMinute !== null && `${formatCounted(tokensPerMinute, 'token')} a minute`,
    maxConcurrentRequests !== null && `${formatCount(maxConcurrentRequests)} at once`,
  ].filter((text) => text !== false)

const budgetsOf = ({ dailyBudgetUsd, monthlyBudgetUsd, dailySpending, monthlySpending }: SecureToken) => [
  ...(dailyBudgetUsd === null ? [] : [{ label: 'Daily budget', budgetUsd: dailyBudgetUsd, spending: dailySpending }]),
  ...(monthlyBudgetUsd === null
    ? []
    : [{ label: 'Monthly budget', budgetUsd: monthlyBudgetUsd, spending: monthlySpending }]),
]
