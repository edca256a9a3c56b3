import type { Config } from '#core/config.ts'
import { type PlanTable, planTable } from '#schemas/plans.ts'
import type { Sql } from '#core/stores/postgres.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import { createOrderStore, type OrderStore } from '#store/postgres/orders.ts'
import { createPlanStore, type PlanStore } from '#store/postgres/plans.ts'
import type { PayPal } from './paypal.ts'

interface Payments {
  paypal: PayPal
  /** If unset, all webhooks are rejected. */
  webhookId: string | undefined
  /** PayPal's browser script, version 6. */
  scriptUrl: string
  /** Origins from which the script loads code and frames, and to which it connects. */
  origins: string[]
}

export interface Billing {
  subscriptions: PlanStore
  orders: OrderStore
  plans: PlanTable
  /** Unset if payments are not configured. */
  payments: Payments | undefined
  /** Recipient of `Contact Sales`. */
  contactEmail: string | undefined
}

/** Loads the client of PayPal only if it is configured: it is more than a quarter of all modules. */
export async function createBilling(
  sql: Sql,
  invalidate: Invalidate,
  { planLimits, paypal, contactEmail }: Pick<Config, 'planLimits' | 'paypal' | 'contactEmail'>,
): Promise<Billing> {
  const client = paypal && (await import('./paypal.ts')).createPayPal(paypal)
  return {
    subscriptions: createPlanStore(sql, invalidate),
    orders: createOrderStore(sql, invalidate),
    plans: planTable(planLimits),
    payments: client && { ...paypalSites(paypal.apiUrl), paypal: client, webhookId: paypal.webhookId },
    contactEmail,
  }
}

const siteByApi: Record<string, string> = {
  'https://api-m.paypal.com': 'https://www.paypal.com',
  'https://api-m.sandbox.paypal.com': 'https://www.sandbox.paypal.com',
}

/** @param apiUrl of PayPal, its sandbox, or a fake, which serves script and API from the same origin */
export function paypalSites(apiUrl: string): Pick<Payments, 'scriptUrl' | 'origins'> {
  const { origin } = new URL(apiUrl)
  const site = siteByApi[origin]
  return {
    scriptUrl: `${site ?? origin}/web-sdk/v6/core`,
    origins: site ? ['https://*.paypal.com', 'https://*.paypalobjects.com'] : [origin],
  }
}
