import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { PaymentSetup } from '#schemas/billing.ts'
import { currency, paidPlan, plans, PlanTable } from '#schemas/plans.ts'
import { fetchJson } from '#web/lib/api.ts'
import { jsonQuery } from '#web/lib/queries/json-query.ts'

/** The plans with this server's limits, which an operator can change. */
export const plansQuery = jsonQuery(PlanTable, '/api/plans')

/** Not cached, because its token expires within minutes. */
export const paymentSetupQuery = queryOptions({
  ...jsonQuery(PaymentSetup, '/api/paypal/setup'),
  gcTime: 0,
})

/** The order's id at the payment provider. Source: product.md 8.11. */
export async function createOrder(): Promise<string> {
  const body = { amount: (plans[paidPlan].priceCents / 100).toFixed(2), currency, intent: 'CAPTURE' }
  const { id } = await fetchJson(z.object({ id: z.string() }), 'POST', '/api/paypal/order', { body })
  return id
}

export const captureOrder = (orderId: string) =>
  fetchJson(z.unknown(), 'POST', `/api/paypal/order/${encodeURIComponent(orderId)}/capture`)
