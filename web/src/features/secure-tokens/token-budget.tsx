import { formatAmount } from '#schemas/cost-text.ts'
import type { BudgetSpending } from '#schemas/secure-tokens.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

const warnPercent = 80

type TokenBudgetProps = { label: string; budgetUsd: number; spending: BudgetSpending | null }

/** A budget, with the amounts spent, reserved and left. */
export function TokenBudget({ label, budgetUsd, spending }: TokenBudgetProps) {
  const percent = spending ? percentOf(spending.spentUsd, budgetUsd) : 0
  return (
    <div>
      <div className="flex items-center gap-2">
        <h3 className="text-xs text-muted">{label}</h3>
        {percent >= warnPercent && (
          <Badge tone={percent >= 100 ? 'danger' : 'warn'}>{percent >= 100 ? 'All spent' : `${percent}% spent`}</Badge>
        )}
        <span className="ml-auto font-mono text-xs tabular-nums">{formatAmount(budgetUsd)}</span>
      </div>
      {spending ? (
        <>
          <ProgressBar
            label={`${label}: part that is spent`}
            percent={percent}
            tone={percent >= warnPercent ? 'warn' : 'accent'}
            className="mt-1.5 h-1.5"
          />
          <p className="mt-1 text-xs text-muted tabular-nums">{amounts(budgetUsd, spending)}</p>
        </>
      ) : (
        <p className="mt-1 text-xs text-muted">What is spent of it can’t be read at the moment.</p>
      )}
    </div>
  )
}

/** Rounded down, so that 100 means all of it. */
const percentOf = (spentUsd: number, budgetUsd: number) =>
  spentUsd >= budgetUsd ? 100 : Math.floor((100 * spentUsd) / budgetUsd)

function amounts(budgetUsd: number, { spentUsd, reservedUsd }: BudgetSpending) {
  const left = Math.max(0, budgetUsd - spentUsd - reservedUsd)
  return `${formatAmount(spentUsd)} spent, ${formatAmount(reservedUsd)} reserved, ${formatAmount(left)} left`
}
