import { Progress } from 'radix-ui'
import type { Allowance, Billing } from '#schemas/billing.ts'
import { formatCount } from '#web/lib/text/format.ts'
import { Card } from '#web/ui/card.tsx'

/** What counts against the plan: a day's requests where the plan has a limit for a day, else the month's. */
export function UsageCard({ billing: { usage } }: { billing: Billing }) {
  const isDaily = usage.today.limit !== null
  return (
    <Card
      title="Usage This Month"
      description={isDaily ? 'Your plan has a limit for each day (UTC)' : 'Counted from the 1st (UTC)'}
    >
      <div className="flex flex-col gap-5 p-4 md:p-5">
        {isDaily && <Allowed title="Today" allowance={usage.today} />}
        <Allowed title="This month" allowance={usage.month} />
      </div>
    </Card>
  )
}

function Allowed({ title, allowance: { used, limit, remaining } }: { title: string; allowance: Allowance }) {
  const share = limit === null ? 0 : Math.min(100, (used / limit) * 100)
  return (
    <section aria-label={title}>
      <div className="flex items-baseline justify-between gap-4">
        <p className="tabular-nums">
          {limit === null
            ? `${formatCount(used)} API requests`
            : `${formatCount(used)} of ${formatCount(limit)} API requests`}
        </p>
        <h3 className="text-xs text-muted">{title}</h3>
      </div>
      {limit === null ? (
        <p className="mt-1 text-xs text-muted">No limit</p>
      ) : (
        <>
          <Progress.Root
            value={share}
            aria-label={`${title}: part of the limit that is used`}
            className="mt-2 h-2 overflow-hidden rounded-full bg-line"
          >
            <Progress.Indicator
              className={share >= 90 ? 'h-full rounded-full bg-warn' : 'h-full rounded-full bg-accent-fill'}
              style={{ width: `${share}%` }}
            />
          </Progress.Root>
          <p className="mt-1.5 text-xs text-muted tabular-nums">{formatCount(remaining ?? 0)} remaining</p>
        </>
      )}
    </section>
  )
}
