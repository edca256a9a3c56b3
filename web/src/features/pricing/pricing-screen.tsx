import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { plans, type PlanTable, pricingPlans } from '#schemas/plans.ts'
import { product } from '#schemas/product.ts'
import { billingQuery } from '#web/lib/queries/billing.ts'
import { toast } from '#web/lib/toast.ts'
import { currentUserQuery } from '#web/lib/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Faq, WhyPro } from './pricing-texts.tsx'
import { PaymentArea } from './payment-area.tsx'
import { PlanCard } from './plan-card.tsx'
import { plansQuery } from './pricing-queries.ts'

/** Source: product.md 10.12. */
export function PricingScreen() {
  const query = useQuery(plansQuery)
  return (
    <>
      <header className="mx-auto max-w-xl py-4 text-center">
        <title>{`Pricing · ${product.name}`}</title>
        <h1 className="text-[1.75rem] leading-tight font-semibold tracking-tight text-balance">
          Simple, Transparent Pricing
        </h1>
        <p className="mt-2 text-muted">
          One price for the gateway. What the provider charges stays between you and it.
        </p>
      </header>
      <QueryView query={query} skeleton={<PlanSkeletons />} errorTitle="The plans could not be loaded">
        {(table) => <Offer table={table} />}
      </QueryView>
    </>
  )
}

const PlanSkeletons = () => (
  <div className="grid gap-4 lg:grid-cols-3">
    {pricingPlans.map((name) => (
      <Skeleton key={name} className="h-96 rounded-panel" />
    ))}
  </div>
)

function Offer({ table }: { table: PlanTable }) {
  const { data: user } = useQuery(currentUserQuery)
  const { data: billing } = useQuery(billingQuery)
  const { pay } = useSearch({ from: '/pricing' })
  const current = user?.subscriptionStatus
  const canRenew = billing !== undefined && billing.status !== 'active'
  return (
    <>
      <ul className="grid gap-4 lg:grid-cols-3">
        {pricingPlans.map((name) => (
          <PlanCard key={name} plan={table[name]} isCurrent={name === current}>
            {name === current ? <Button disabled>Current Plan</Button> : <PlanButton name={name} />}
          </PlanCard>
        ))}
      </ul>
      {pay && (current !== 'pro' || canRenew) && <PaymentArea />}
      <WhyPro table={table} />
      <Faq />
    </>
  )
}

const sayWhomToAsk = () =>
  toast({
    title: 'Ask the operator',
    description: 'This server has no address for sales. Ask whoever runs it for a plan.',
  })

function PlanButton({ name }: { name: (typeof pricingPlans)[number] }) {
  const navigate = useNavigate({ from: '/pricing' })
  const { data: billing } = useQuery(billingQuery)
  const { buttonText, disabled, label } = plans[name]
  if (name === 'enterprise') {
    if (!billing?.contactEmail) return <Button onClick={sayWhomToAsk}>{buttonText}</Button>
    const subject = encodeURIComponent(`${product.name}: ${label}`)
    return (
      <Button asChild>
        <a href={`mailto:${billing.contactEmail}?subject=${subject}`}>{buttonText}</a>
      </Button>
    )
  }
  return (
    <Button
      variant={name === 'pro' ? 'primary' : 'secondary'}
      disabled={disabled}
      onClick={() => void navigate({ search: { pay: true } })}
    >
      {buttonText}
    </Button>
  )
}
