import { Problem } from '#core/problem.ts'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import type { OrderState } from '#schemas/billing.ts'
import type { PlanName } from '#schemas/plan-name.ts'
import { plans } from '#schemas/plans.ts'
import { type AuditSource, recordAudit } from './audit.ts'
import { changeAccount, lockAccount } from './change-account.ts'
import { addPaidMonth, removePaidTime } from './plans.ts'
import { firstRow, hasRows } from './require-row.ts'

interface NewOrder {
  id: string
  paypalOrderId: string
  plan: PlanName
  amountCents: number
  currency: string
  payeeId: string
}

export interface OrderRow extends NewOrder {
  accountId: string
  state: OrderState
  /** At PayPal. An order that is `pending` without one is being captured, or its capture was interrupted. */
  captureId: string | null
}

export interface Payment {
  captureId: string
  outcome: 'completed' | 'pending' | 'failed' | 'refunded'
  amountCents: number | undefined
  currency: string | undefined
  payeeId: string | undefined
  method: string
}

interface OpenOrder extends OrderRow {
  isReusable: boolean
}

interface PayPalEvent {
  id: string
  type: string
}

interface OrderWithTime extends OrderRow {
  paidFrom: Date | null
  paidUntil: Date | null
}

/** An unpaid order is reused for this long; PayPal keeps it for three hours. */
const reusableMinutes = 60

/** A capture takes less: the requests to PayPal have timeouts. */
export const captureMinutes = 1

export type OrderStore = ReturnType<typeof createOrderStore>

export const createOrderStore = (sql: Sql, invalidate: Invalidate) => ({
  /** The newest orders that may be paid at PayPal, or still be. A day later, only a webhook tells of a payment. */
  listOpen: (accountId: string, plan: PlanName, amountCents: number): Promise<OpenOrder[]> => sql<OpenOrder[]>`
    select ${columns(sql)}, ${isReusable(sql, plan, amountCents)} as "isReusable" from orders
    where account_id = ${accountId}
      and (state = 'pending' or (state = 'created' and created_at > now() - interval '1 day'))
    order by state = 'pending' desc, created_at desc limit 10`,

  /**
   * If another call has created an order meanwhile, returns that one, so that the buyer does not pay for both.
   * @param open the newest orders that were there before
   */
  create: (accountId: string, order: NewOrder, open: readonly OrderRow[]): Promise<OrderRow> =>
    sql.begin(async (tx) => {
      await lockAccount(tx, accountId)
      const [newest] = await tx<OrderRow[]>`
        select ${columns(sql)} from orders
        where account_id = ${accountId} and ${isReusable(sql, order.plan, order.amountCents)}
        order by created_at desc limit 1`
      if (newest && !open.some(({ id }) => id === newest.id)) return newest
      const [row] = await tx<[OrderRow]>`
        insert into orders (id, account_id, paypal_order_id, plan, amount_cents, currency, payee_id)
        values (${order.id}, ${accountId}, ${order.paypalOrderId}, ${order.plan}, ${order.amountCents},
          ${order.currency}, ${order.payeeId})
        returning ${columns(sql)}`
      return row
    }),

  get: (accountId: string, paypalOrderId: string) =>
    firstRow(sql<OrderRow[]>`
      select ${columns(sql)} from orders where account_id = ${accountId} and paypal_order_id = ${paypalOrderId}`),

  /**
   * Call it before the capture at PayPal, and `cancelCapture` if PayPal rejects it. If its result is not stored,
   * `listOpen` goes on listing the order. Meanwhile, no other order is captured, and the account is not deleted.
   * @returns the order, which another call may have completed, and whether this call began its capture
   * @throws Problem `already-subscribed` if another order was paid since this one was begun | `payment-pending` if
   * another one is being captured | `not-found` if the account was deleted
   */
  beginCapture: ({ accountId, id }: OrderRow): Promise<{ order: OrderRow; isFirst: boolean }> =>
    sql.begin(async (tx) => {
      await lockAccount(tx, accountId)
      const [order] = await tx<(OrderRow & { isPaidSince: boolean })[]>`
        select ${columns(sql)}, ${wasPaidSince(sql)} as "isPaidSince" from orders
        where account_id = ${accountId} and id = ${id}`
      if (!order) throw new Problem('not-found')
      if (!canBeCaptured(order)) return { order, isFirst: false }
      if (order.isPaidSince) throw new Problem('already-subscribed')
      await requireNoCapture(tx, accountId, id)
      await tx`update orders set state = 'pending', changed_at = now() where id = ${id}`
      return { order: { ...order, state: 'pending' }, isFirst: order.state === 'created' }
    }),

  /** For a capture that PayPal does not know. @param minMinutes how long ago it must have begun */
  async cancelCapture({ accountId, id }: OrderRow, minMinutes = 0): Promise<void> {
    await sql`
      update orders set state = 'created', changed_at = now()
      where account_id = ${accountId} and id = ${id} and state = 'pending' and paypal_capture_id is null
        and changed_at <= now() - ${minMinutes} * interval '1 minute'`
  },

  /** Takes no account id, because a webhook uses this to find the order. */
  findByPayPalId: (ids: string[]) =>
    firstRow(sql<OrderRow[]>`
      select ${columns(sql)} from orders where paypal_order_id = any(${ids}) or paypal_capture_id = any(${ids}) limit 1`),

  /**
   * Applies the state of the payment to the order and its account. Only steps forward have an effect.
   * @param event webhook that reported the payment; a repeated one has no effect
   * @throws Problem `not-found` if the account was deleted meanwhile
   */
  reconcile: ({ accountId, id }: OrderRow, payment: Payment, by: AuditSource, event?: PayPalEvent): Promise<OrderRow> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      await lockAccount(tx, accountId)
      const [order] = await tx<OrderWithTime[]>`
        select ${columns(sql)}, paid_from as "paidFrom", paid_until as "paidUntil"
        from orders where account_id = ${accountId} and id = ${id}`
      if (!order) throw new Problem('not-found')
      const isNew = !event || (await recordEvent(tx, id, event))
      const state = isNew ? await step(tx, order, payment, by) : order.state
      return { ...order, state }
    }),
})

export const canBeCaptured = ({ state, captureId }: OrderRow): boolean =>
  state === 'created' || (state === 'pending' && captureId === null)

/**
 * Call it in a transaction that has locked the account.
 * @param exceptId order that may be captured
 * @throws Problem `payment-pending` if an order of the account is being captured
 */
export async function requireNoCapture(tx: Transaction, accountId: string, exceptId: string | null): Promise<void> {
  const isUnderWay = await hasRows(tx`
    select 1 from orders
    where account_id = ${accountId} and id is distinct from ${exceptId} and state = 'pending'
      and changed_at > now() - ${captureMinutes} * interval '1 minute'`)
  if (isUnderWay) {
    throw new Problem('payment-pending', { detail: 'A payment is being completed right now. Try again in a minute.' })
  }
}

const columns = (sql: Sql) => sql`
  id, account_id as "accountId", paypal_order_id as "paypalOrderId", plan, amount_cents as "amountCents",
  currency, payee_id as "payeeId", state, paypal_capture_id as "captureId"`

const isReusable = (sql: Sql, plan: PlanName, amountCents: number) => sql`
  (state = 'created' and plan = ${plan} and amount_cents = ${amountCents}
    and created_at > now() - ${reusableMinutes} * interval '1 minute' and not ${wasPaidSince(sql)})`

const wasPaidSince = (sql: Sql) => sql`
  exists (
    select 1 from orders paid
    where paid.account_id = orders.account_id and paid.id <> orders.id and paid.state = 'captured'
      and paid.changed_at > orders.created_at)`

const recordEvent = (tx: Transaction, orderId: string, event: PayPalEvent): Promise<boolean> =>
  hasRows(tx`
    insert into paypal_events (id, order_id, event_type) values (${event.id}, ${orderId}, ${event.type})
    on conflict do nothing`)

async function step(tx: Transaction, order: OrderWithTime, payment: Payment, by: AuditSource): Promise<OrderState> {
  const { id, accountId, state } = order
  const isOpen = state === 'created' || state === 'pending'
  const price = `${plans[order.plan].name}, ${(order.amountCents / 100).toFixed(2)} ${order.currency}`

  if (payment.outcome === 'refunded' && state !== 'refunded') {
    await tx`update orders set state = 'refunded', changed_at = now() where id = ${id}`
    const { paidFrom: from, paidUntil: until } = order
    if (state !== 'captured') return 'refunded'
    await recordAudit(tx, accountId, 'payment-refunded', price, by)
    if (from && until) await removePaidTime(tx, accountId, { from, until }, by)
    return 'refunded'
  }
  if (!isOpen) return state

  const isRefused = payment.outcome === 'failed' || !isPaidInFull(order, payment)
  if (isRefused || payment.outcome === 'pending') {
    const next = isRefused ? 'refused' : 'pending'
    await tx`
      update orders set state = ${next}, paypal_capture_id = ${payment.captureId}, changed_at = now() where id = ${id}`
    return next
  }
  const added = await addPaidMonth(tx, accountId, { plan: order.plan, paymentMethod: payment.method }, by)
  await tx`
    update orders set state = 'captured', paypal_capture_id = ${payment.captureId}, paid_from = ${added?.from ?? null},
      paid_until = ${added?.until ?? null}, changed_at = now()
    where id = ${id}`
  await recordAudit(tx, accountId, 'payment-captured', price, by)
  return 'captured'
}

const isPaidInFull = (order: OrderRow, payment: Payment) =>
  payment.amountCents === order.amountCents && payment.currency === order.currency && payment.payeeId === order.payeeId
