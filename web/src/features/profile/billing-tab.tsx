import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Billing, Allowance } from '#schemas/billing.ts'
import { plans } from '#schemas/plans.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { ValueRow } from '#web/ui/value-row.tsx'
import { billingQuery } from '#web/lib/queries/billing.ts'
import { formatCount, formatCounted } from '#web/lib/text/format.ts'

/** The usage changes with each request. */
const refetchMs = 1_000

export function BillingTab() {
  const billing = useQuery({ ...billingQuery, refetchInterval: refetchMs })
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
      <div className="flex flex-wrap items-center justify-between gap-4 p-4">
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
        <dl className="divide-y divide-line border-t border-line px-4">
          <ValueRow label="Next billing date">
            <DateTime value={nextBillingDate} precision="day" empty="None" />
          </ValueRow>
          <ValueRow label="Payment method">
            <span className="break-all">{paymentMethod ?? 'None'}</span>
          </ValueRow>
        </dl>
      )}
      {status !== 'active' && (
        <div className="p-4 pt-0">
          <Notice tone="warn" title={status === 'grace' ? 'The paid time is over' : 'The paid time ends soon'}>
            {status === 'grace' ? 'Your plan holds for a few more days.' : 'Nothing is charged by itself.'}{' '}
            <Link to="/pricing" search={{ pay: true }} className="text-accent underline underline-offset-2">
              Renew the plan
            </Link>
          </Notice>
        </div>
      )}
    </Card>
  )
}

/** Usage against the plan, including today's requests if the plan has a daily limit. */
function UsageCard({ billing: { usage } }: { billing: Billing }) {
  const isDaily = typeof usage.today?.limit === 'number'
  return (
    <Card
      title="Usage This Month"
      description={isDaily ? 'Your plan has a limit for each day (UTC)' : 'Counted from the 1st (UTC)'}
    >
      <div className="flex flex-col gap-5 p-4">
        {isDaily && <Allowed title="Today" allowance={usage.today} />}
        <Allowed title="This month" allowance={usage.month} />
      </div>
    </Card>
  )
}

function Allowed({ title, allowance }: { title: string; allowance: Allowance | null }) {
  if (!allowance) {
    return (
      <section aria-label={title}>
        <h3 className="text-xs text-muted">{title}</h3>
        <p className="mt-1 text-muted">The number of requests can’t be read at the moment.</p>
      </section>
    )
  }
  const { used, limit, remaining } = allowance
  const share = limit === null ? 0 : Math.min(100, (used / limit) * 100)
  return (
    <section aria-label={title}>
      <div className="flex items-baseline justify-between gap-4">
        <p className="tabular-nums">
          {limit === null
            ? formatCounted(used, 'API request')
            : `${formatCount(used)} of ${formatCount(limit)} API requests`}
        </p>
        <h3 className="text-xs text-muted">{title}</h3>
      </div>
      {limit === null ? (
        <p className="mt-1 text-xs text-muted">No limit</p>
      ) : (
        <>
          <ProgressBar
            label={`${title}: part of the limit that is used`}
            percent={share}
            tone={share >= 90 ? 'warn' : 'accent'}
            className="mt-2 h-2"
          />
          <p className="mt-1.5 text-xs text-muted tabular-nums">{formatCount(remaining ?? 0)} remaining</p>
        </>
      )}
    </section>
  )
}
