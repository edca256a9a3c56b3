import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import {
  type Allowance,
  Billing as BillingView,
  CapturedOrder,
  CreateOrder,
  type OrderState,
  PaymentOrder,
  PayPalId,
  PaymentSetup,
} from '#schemas/billing.ts'
import { currency, isHigherPlan, paidPlan, plans, PlanTable } from '#schemas/plans.ts'
import { Problem, requireFound } from '#core/problem.ts'
import { canBeCaptured, captureMinutes, type OrderRow } from '#store/postgres/orders.ts'
import { paidTimeStatus } from '#store/postgres/plans.ts'
import type { UsageStore } from '#store/clickhouse/usage.ts'
import type { QuotaUsage, QuotaUsageStore } from '#store/redis/quota-usage.ts'
import type { Billing } from '../../payments/billing.ts'
import { priceOf } from '../../payments/money.ts'
import type { PayPal } from '../../payments/paypal.ts'
import { auditSourceOf } from '../../sign-in/client-address.ts'
import { toPayment } from '../../payments/payment.ts'
import type { Throttle } from '../../sign-in/throttle.ts'
import { signedInRoutes } from '../../plugins/session.ts'
import { withFallback } from '../../with-fallback.ts'

interface BillingRouteOptions extends Billing {
  usage: Pick<UsageStore, 'counted'>
  quotaUsage: QuotaUsageStore
  throttle: Pick<Throttle, 'count'>
}

const OrderParams = z.object({ orderId: PayPalId })

/** The account's plan and payments. Source: product.md 8.11, 6.6. */
export const billingRoutes = signedInRoutes<BillingRouteOptions>(async (app, options) => {
  const { subscriptions, orders, usage, quotaUsage, throttle, contactEmail } = options

  async function requirePayments(accountId: string) {
    if (!options.payments) throw new Problem('payments-not-configured')
    await throttle.count('payment', accountId)
    return options.payments
  }

  /** @throws Problem `already-subscribed` if a payment would add nothing */
  async function requireLowerPlan(accountId: string): Promise<void> {
    const { plan, planUntil } = await subscriptions.get(accountId)
    const hasEnough = isHigherPlan(plan, paidPlan) || (plan === paidPlan && !planUntil)
    if (hasEnough) throw new Problem('already-subscribed')
  }

  /**
   * Open orders, and the one of them that the buyer can still approve.
   * @param order is left out
   * @throws Problem `already-subscribed` | `payment-pending` when one turns out to be paid, or may be soon
   */
  async function readOpenOrders(request: FastifyRequest, paypal: PayPal, order?: OrderRow) {
    const all = await orders.listOpen(request.user.id, paidPlan, plans[paidPlan].priceCents)
    const open = all.filter(({ id }) => id !== order?.id)
    const atPayPal = await Promise.all(open.map(({ paypalOrderId }) => paypal.getOrder(paypalOrderId)))
    const states = new Set<OrderState>()
    for (const [at, each] of open.entries()) {
      // The response to its capture may have been lost.
      const payment = toPayment(atPayPal[at])
      if (payment) states.add((await orders.reconcile(each, payment, auditSourceOf(request))).state)
      else if (each.state === 'pending') await orders.cancelCapture(each, captureMinutes)
    }
    if (states.has('captured')) throw new Problem('already-subscribed')
    if (states.has('pending')) throw new Problem('payment-pending')
    return { open, approvable: open.find(({ isReusable }, at) => isReusable && atPayPal[at]?.isAwaitingApproval) }
  }

  /** @param isFirst whether no other call may be capturing the order */
  async function capture(paypal: PayPal, order: OrderRow, isFirst: boolean, log: FastifyBaseLogger): Promise<void> {
    try {
      await paypal.captureOrder(order.paypalOrderId)
    } catch (error) {
      // After any other error, PayPal may still capture the payment.
      const isRejected = error instanceof Problem && error.code !== 'payment-provider-failed'
      if (isRejected) {
        // It may be a problem of the operator's PayPal account rather than the buyer's.
        log.warn({ err: error }, 'PayPal rejected a capture')
        if (isFirst) await orders.cancelCapture(order)
      }
      throw error
    }
  }

  app.get(
    '/api/plans',
    { schema: { summary: 'List plans with their limits', response: { 200: PlanTable } } },
    () => options.plans,
  )

  app.get(
    '/api/billing',
    {
      schema: { summary: 'Get the plan of the account, its paid period and its usage', response: { 200: BillingView } },
    },
    async ({ user, log }) => {
      const [subscription, logged, enforced] = await Promise.all([
        subscriptions.get(user.id),
        withFallback<QuotaUsage | undefined>(usage.counted(user.id), undefined, log, 'logged usage is unavailable'),
        withFallback<QuotaUsage | undefined>(
          quotaUsage.read(user.id),
          undefined,
          log,
          'plan usage is unavailable in Redis; it is counted from the logs',
        ),
      ])
      const { plan, planUntil, paymentMethod } = subscription
      const { limits } = options.plans[plan]
      return {
        plan,
        status: paidTimeStatus(subscription),
        nextBillingDate: planUntil?.toISOString() ?? null,
        // Nothing is paid for a plan without an end, even if the account has paid before.
        paymentMethod: planUntil && paymentMethod,
        usage: {
          today: allowance(limits.requestsPerDay, enforced?.today, logged?.today),
          month: allowance(limits.requestsPerMonth, enforced?.month, logged?.month),
        },
        contactEmail: contactEmail ?? null,
      }
    },
  )

  app.get(
    '/api/paypal/setup',
    {
      schema: {
        summary: 'Get the client token and the script URL of the payment provider',
        response: { 200: PaymentSetup },
      },
    },
    async (request) => {
      const { paypal, scriptUrl } = await requirePayments(request.user.id)
      await readOpenOrders(request, paypal)
      return { clientToken: await paypal.clientToken(), scriptUrl }
    },
  )

  app.post(
    '/api/paypal/order',
    {
      schema: {
        summary: 'Start a payment for the Pro plan',
        description:
          '200: the account already has an order that was not approved yet, which is returned instead of a new one.',
        body: CreateOrder,
        response: { 200: PaymentOrder, 201: PaymentOrder },
      },
    },
    async (request, reply) => {
      const { user } = request
      const { paypal } = await requirePayments(user.id)
      await requireLowerPlan(user.id)
      const { open, approvable } = await readOpenOrders(request, paypal)
      if (approvable) return toPaymentOrder(approvable)
      const id = uuidv7()
      const { priceCents: amountCents, label } = plans[paidPlan]
      const created = await paypal.createOrder(id, { amountCents, currency, description: `${label}, one month` })
      if (!created.payeeId) throw new Problem('payment-provider-failed')
      const order = { id, paypalOrderId: created.id, plan: paidPlan, amountCents, currency, payeeId: created.payeeId }
      const row = await orders.create(user.id, order, open)
      return reply.code(row.id === id ? 201 : 200).send(toPaymentOrder(row))
    },
  )

  app.post(
    '/api/paypal/order/:orderId/capture',
    { schema: { summary: 'Capture an approved payment', params: OrderParams, response: { 200: CapturedOrder } } },
    async (request) => {
      const { user, params, log } = request
      const { paypal } = await requirePayments(user.id)
      let order = requireFound(await orders.get(user.id, params.orderId))
      let isFirst = false
      if (order.state === 'created' || order.state === 'pending') {
        if (canBeCaptured(order)) {
          await requireLowerPlan(user.id)
          // The buyer may have begun both for the same month, in two tabs or because the first one took long.
          await readOpenOrders(request, paypal, order)
          const begun = await orders.beginCapture(order)
          order = begun.order
          isFirst = begun.isFirst
        }
        if (canBeCaptured(order)) await capture(paypal, order, isFirst, request.log)
        const payment = toPayment(await paypal.getOrder(order.paypalOrderId))
        if (!payment) throw new Problem('payment-not-approved')
        order = await orders.reconcile(order, payment, auditSourceOf(request))
        if (order.state === 'refused') log.error({ order: order.id, payment }, 'a payment was not accepted')
      }
      if (order.state === 'refused') throw new Problem('payment-mismatch')
      const { plan, planUntil } = await subscriptions.get(user.id)
      const nextBillingDate = planUntil?.toISOString() ?? null
      return { ...toPaymentOrder(order), subscriptionStatus: plan, nextBillingDate }
    },
  )
})

/**
 * @param enforced requests that the proxies have counted against the limit; undefined if Redis is unavailable
 * @param logged undefined if ClickHouse is unavailable
 */
function allowance(limit: number | null, enforced: number | undefined, logged: number | undefined): Allowance | null {
  const used = limit === null ? logged : (enforced ?? logged)
  if (used === undefined) return null
  return { used, limit, remaining: limit === null ? null : Math.max(0, limit - used) }
}

const toPaymentOrder = ({ paypalOrderId: id, state, plan, amountCents, ...order }: OrderRow): PaymentOrder => ({
  id,
  state,
  plan,
  amount: priceOf(amountCents),
  currency: order.currency,
})
