import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { type PlanName, plans } from '#schemas/plans.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

type PlanBadgeProps = { plan: PlanName; onNavigate: (() => void) | undefined }

/** Says `Pro Plan` to everyone, as specified; tooltip and description name the real plan. */
export function PlanBadge({ plan, onNavigate }: PlanBadgeProps) {
  const descriptionId = useId()
  const description = `You are on the ${plans[plan].label}. Open Billing.`
  return (
    <Tooltip text={description}>
      <Link
        to="/profile"
        search={{ tab: 'billing' }}
        onClick={onNavigate}
        aria-describedby={descriptionId}
        className="relative inline-flex rounded-full before:absolute before:-inset-3 md:before:-inset-0.5"
      >
        <Badge tone="accent">Pro Plan</Badge>
        <span id={descriptionId} hidden>
          {description}
        </span>
      </Link>
    </Tooltip>
  )
}
