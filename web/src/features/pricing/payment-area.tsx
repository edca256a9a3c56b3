import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { isHigherPlan, plans } from '#schemas/plans.ts'
import { problemOf } from '#web/lib/api.ts'
import { currentUserQuery } from '#web/lib/session/session.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { usePaymentSession } from './use-payment-session.ts'

declare module 'react' {
  // Defined by the payment provider's script.
  namespace JSX {
    interface IntrinsicElements {
      'paypal-button': React.HTMLAttributes<HTMLElement> & { type?: string; ref?: React.Ref<HTMLElement> }
    }
  }
}

/** Source: product.md 10.13. */
export function PaymentArea() {
  const { data: user } = useQuery(currentUserQuery)
  const hasHigherPlan = user && isHigherPlan(user.subscriptionStatus, 'pro')
  const area = useRef<HTMLDivElement>(null)
  useEffect(() => {
    area.current?.scrollIntoView({ block: 'nearest' })
    area.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={area} tabIndex={-1} className="outline-none">
      <Card
        title="Complete your upgrade"
        description={`${plans.pro.label}, ${plans.pro.price} per ${plans.pro.interval}`}
      >
        <div className="p-4">
          {hasHigherPlan ? (
            <Notice>Your plan already includes the {plans.pro.label}, so there is nothing to pay.</Notice>
          ) : (
            <Payment />
          )}
        </div>
      </Card>
    </div>
  )
}

function Payment() {
  const { setup, state, pay } = usePaymentSession()
  if (setup.error) {
    const isOff = problemOf(setup.error)?.code === 'payments-not-configured'
    if (isOff) return <Notice>Payments are not set up on this server. Ask its operator to change your plan.</Notice>
    return (
      <ErrorState title="The payment could not be prepared" error={setup.error} onRetry={() => void setup.refetch()} />
    )
  }
  if (state === 'failed') {
    return <Notice tone="warn">The payment provider could not be reached. Reload the page to try again.</Notice>
  }
  if (state === 'ready') {
    return (
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <paypal-button
          type="pay"
          onClick={() => void pay()}
          className="block w-full max-w-80 [&>button]:h-11 [&>button]:w-full [&>button]:rounded-control [&>button]:bg-[#ffc439] [&>button]:font-semibold [&>button]:text-zinc-950"
        />
        <p className="text-muted">You pay at PayPal. Your plan changes as soon as the payment is complete.</p>
      </div>
    )
  }
  return (
    <output className="flex items-center gap-2 text-muted">
      <Spinner />
      {state === 'capturing' ? 'Completing your payment...' : 'Preparing the payment...'}
    </output>
  )
}
