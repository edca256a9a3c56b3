import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { currency } from '#schemas/plans.ts'
import { billingPath } from '#web/lib/queries/billing.ts'
import { refresh } from '#web/lib/refresh.ts'
import { currentUserQuery } from '#web/lib/session/session.ts'
import { captureOrder, createOrder, paymentSetupQuery } from './pricing-queries.ts'
import { loadPayPalScript, type PaymentSession } from './paypal-script.ts'

type PaymentState = 'loading' | 'ready' | 'capturing' | 'failed'

// The outcome of a payment is only logged to the console. Source: product.md 10.13.
const log = (text: string, value: unknown) => console.log(text, value)
const logError = (error: unknown) => console.error('Payment error', error)

/** Reads the plan again, because a payment may be complete although its response was lost. */
function fail(client: QueryClient, error: unknown): Promise<void> {
  logError(error)
  return refresh(client, [...currentUserQuery.queryKey, billingPath])
}

/** Loads the payment provider's button and handles its callbacks. */
export function usePaymentSession() {
  const client = useQueryClient()
  const navigate = useNavigate({ from: '/pricing' })
  const setup = useQuery(paymentSetupQuery)
  const [session, setSession] = useState<PaymentSession | null>(null)
  const [state, setState] = useState<PaymentState>('loading')

  const approve = useEffectEvent(async ({ orderId }: { orderId: string }) => {
    setState('capturing')
    try {
      log('Payment captured', await captureOrder(orderId))
      // Loads Pricing anew, without the payment area.
      return await navigate({ search: {}, replace: true })
    } catch (error) {
      setState('ready')
      await fail(client, error)
    }
  })

  useEffect(() => {
    if (!setup.data) return
    const { clientToken, scriptUrl } = setup.data
    let isUnmounted = false
    async function open() {
      await loadPayPalScript(scriptUrl)
      const sdk = await window.paypal?.createInstance({
        clientToken,
        components: ['paypal-payments'],
        pageType: 'checkout',
      })
      const methods = await sdk?.findEligibleMethods({ currencyCode: currency })
      if (!sdk || !methods?.isEligible('paypal')) throw new Error('PayPal can’t be used here.')
      if (isUnmounted) return
      setSession(
        sdk.createPayPalOneTimePaymentSession({
          onApprove: (data) => approve(data),
          onCancel: (data) => log('Payment cancelled', data),
          onError: (error) => void fail(client, error),
        }),
      )
      setState('ready')
    }
    open().catch((error: unknown) => {
      logError(error)
      if (!isUnmounted) setState('failed')
    })
    return () => {
      isUnmounted = true
    }
  }, [client, setup.data])

  async function pay() {
    try {
      // Browsers open the window only within the click, so the order is created in parallel.
      const order = createOrder().then((orderId) => ({ orderId }))
      await session?.start({ presentationMode: 'auto' }, order)
    } catch (error) {
      await fail(client, error)
    }
  }

  return { setup, state, pay }
}
