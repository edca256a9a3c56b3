import type { Payment } from '#store/postgres/orders.ts'
import type { PayPalOrder } from './paypal.ts'

/** A partly refunded capture counts as paid: the operator decides about the rest. */
const outcomes: Record<string, Payment['outcome']> = {
  COMPLETED: 'completed',
  PARTIALLY_REFUNDED: 'completed',
  PENDING: 'pending',
  REFUNDED: 'refunded',
}

/** @returns undefined while no money was asked for */
export function toPayment({ capture, payeeId, payerEmail }: PayPalOrder): Payment | undefined {
  return (
    capture && {
      captureId: capture.id,
      outcome: outcomes[capture.status] ?? 'failed',
      amountCents: capture.amountCents,
      currency: capture.currency,
      payeeId,
      method: payerEmail ? `PayPal (${maskEmail(payerEmail)})` : 'PayPal',
    }
  )
}

/** Enough for its owner to recognise it. */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}•••${email.slice(at)}`.slice(0, 100)
}
