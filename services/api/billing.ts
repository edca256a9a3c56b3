import type { Config } from '#core/config.ts'
import { createPlanLimits, type LimitsOf } from '#core/plan-limits.ts'
import type { Sql } from '#core/resources.ts'
import { createOrderStore, type OrderStore } from '#store/orders.ts'
import { createPlanStore, type PlanStore } from '#store/plans.ts'
import { createPayPal, type PayPal } from './payments/paypal.ts'
import { type PayPalSites, paypalSites } from './payments/paypal-sites.ts'

export interface Payments extends PayPalSites {
  paypal: PayPal
  /** Without it no webhook is believed. */
  webhookId: string | undefined
}

/** What selling plans needs. */
export interface Billing {
  subscriptions: PlanStore
  orders: OrderStore
  limitsOf: LimitsOf
  /** Missing while payments are not set up. */
  payments: Payments | undefined
  /** Where `Contact Sales` writes to. */
  contactEmail: string | undefined
}

export function createBilling(
  sql: Sql,
  { planLimits, paypal, contactEmail }: Pick<Config, 'planLimits' | 'paypal' | 'contactEmail'>,
): Billing {
  return {
    subscriptions: createPlanStore(sql),
    orders: createOrderStore(sql),
    limitsOf: createPlanLimits(planLimits),
    payments: paypal && { ...paypalSites(paypal.apiUrl), paypal: createPayPal(paypal), webhookId: paypal.webhookId },
    contactEmail,
  }
}
