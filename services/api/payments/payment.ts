import type { Payment } from '#store/postgres/orders.ts'
import type { PayPalOrder } from './paypal.ts'

/** A partly refunded capture counts as paid; an operator handles the rest. */
const outcomes: Record<string, Payment['outcome']> = {
  COMPLETED: 'completed',
  PARTIALLY_REFUNDED: 'completed',
  PENDING: 'pending',
  REFUNDED: 'refunded',
}

/** @returns undefined before the capture */
export function toPayment({ capture, payeeId, payerEmail }: Partial<PayPalOrder> = {}): Payment | undefined {
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

/** Keeps only enough of the address for its owner to recognize it. */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}•••${email.slice(at)}`.slice(0, 100)
}
