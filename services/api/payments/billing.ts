import type { Config } from '#core/config.ts'
import { type PlanTable, planTable } from '#schemas/plans.ts'
import type { Sql } from '#core/resources.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import { createOrderStore, type OrderStore } from '#store/postgres/orders.ts'
import { createPlanStore, type PlanStore } from '#store/postgres/plans.ts'
import { createPayPal, type PayPal } from './paypal.ts'
import { type PayPalSites, paypalSites } from './paypal-sites.ts'

export interface Payments extends PayPalSites {
  paypal: PayPal
  /** Without it no webhook is believed. */
  webhookId: string | undefined
}

/** What selling plans needs. */
export interface Billing {
  subscriptions: PlanStore
  orders: OrderStore
  plans: PlanTable
  /** Missing while payments are not set up. */
  payments: Payments | undefined
  /** Where `Contact Sales` writes to. */
  contactEmail: string | undefined
}

export function createBilling(
  sql: Sql,
  invalidate: Invalidate,
  { planLimits, paypal, contactEmail }: Pick<Config, 'planLimits' | 'paypal' | 'contactEmail'>,
): Billing {
  return {
    subscriptions: createPlanStore(sql, invalidate),
    orders: createOrderStore(sql, invalidate),
    plans: planTable(planLimits),
    payments: paypal && { ...paypalSites(paypal.apiUrl), paypal: createPayPal(paypal), webhookId: paypal.webhookId },
    contactEmail,
  }
}
