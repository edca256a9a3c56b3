import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Billing } from '#schemas/billing.ts'
import { plans } from '#schemas/plans.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { billingQuery } from '#web/lib/queries/billing.ts'
import { UsageCard } from './usage-card.tsx'

export function BillingTab() {
  const billing = useQuery(billingQuery)
  return (
    <QueryView query={billing} skeleton={<RowSkeletons rows={3} />} errorTitle="The billing could not be loaded">
      {(data) => (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <CurrentPlan billing={data} />
          <UsageCard billing={data} />
        </div>
      )}
    </QueryView>
  )
}

function CurrentPlan({ billing }: { billing: Billing }) {
  const { plan, status, nextBillingDate, paymentMethod } = billing
  const isPaid = plan !== 'free'
  return (
    <Card title="Current Plan">
      <div className="flex flex-wrap items-center justify-between gap-4 p-4 md:p-5">
        <div>
          <p className="flex items-center gap-2 text-base font-semibold">
            {plans[plan].label}
            {isPaid && (
              <Badge tone="ok" dot>
                Active
              </Badge>
            )}
          </p>
          <p className="text-muted">{plans[plan].profileDescription}</p>
        </div>
        <Button asChild variant={isPaid ? 'secondary' : 'primary'}>
          <Link to="/pricing">{isPaid ? 'Change Plan' : 'Upgrade Plan'}</Link>
        </Button>
      </div>
      {isPaid && (
        <dl className="divide-y divide-line border-t border-line px-4 md:px-5">
          <div className="flex min-h-11 items-center justify-between gap-4">
            <dt className="text-muted">Next billing date</dt>
            <dd>
              <DateTime value={nextBillingDate} precision="day" empty="None" />
            </dd>
          </div>
          <div className="flex min-h-11 items-center justify-between gap-4">
            <dt className="text-muted">Payment method</dt>
            <dd className="min-w-0 text-right break-all">{paymentMethod ?? 'None'}</dd>
          </div>
        </dl>
      )}
      {status === 'grace' && (
        <div className="p-4 pt-0">
          <Notice tone="warn" title="The paid time is over">
            Your plan holds for a few more days. Renew it on the pricing page.
          </Notice>
        </div>
      )}
    </Card>
  )
}
