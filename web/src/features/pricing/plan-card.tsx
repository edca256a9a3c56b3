import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Plan } from '#schemas/plans.ts'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/lib/text/class-names.ts'

type PlanCardProps = { plan: Plan; isCurrent: boolean; children: ReactNode }

/** `children`: the plan's button. */
export const PlanCard = ({ plan, isCurrent, children }: PlanCardProps) => (
  <li
    className={classNames(
      'flex flex-col rounded-panel border bg-surface p-5',
      plan.badge ? 'border-accent' : 'border-line',
    )}
  >
    <div className="flex min-h-6 items-center justify-between gap-2">
      <h2 className="text-base font-semibold">{plan.name}</h2>
      {isCurrent ? <Badge tone="ok">Your plan</Badge> : plan.badge && <Badge tone="accent">{plan.badge}</Badge>}
    </div>
    <p className="mt-1 text-muted">{plan.description}</p>
    <p className="mt-5 flex items-baseline gap-1.5">
      <span className="text-[2rem] leading-none font-semibold tracking-tight tabular-nums">{plan.price}</span>
      <span className="text-muted">{plan.interval === 'month' ? 'per month' : plan.interval}</span>
    </p>
    <ul className="mt-5 flex flex-1 flex-col gap-2">
      {plan.features.map((feature) => (
        <li key={feature} className="flex gap-2.5">
          <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ok" />
          {feature}
        </li>
      ))}
      {plan.limitations.map((limitation) => (
        <li key={limitation} className="flex gap-2.5 text-muted">
          <Minus aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {limitation}
        </li>
      ))}
    </ul>
    <div className="mt-6 flex flex-col">{children}</div>
  </li>
)
