import { randomInt } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Generates an id like PayPal's: 17 capital letters and digits. */
export const mintId = (): string => Array.from({ length: 17 }, () => alphabet[randomInt(alphabet.length)]).join('')

interface Amount {
  currency_code: string
  value: string
}

interface Capture {
  id: string
  status: string
  amount: Amount
}

export interface LedgerOrder {
  id: string
  status: 'CREATED' | 'APPROVED' | 'COMPLETED'
  amount: Amount
  customId: string | undefined
  payeeId: string
  /** How the buyer's bank responds to the capture. */
  bank: 'pays' | 'declines' | 'takes its time'
  capture: Capture | undefined
}

/** A PayPal error response: HTTP status and issue. */
export class PayPalIssue extends Error {
  readonly status: number
  readonly issue: string

  constructor(status: number, issue: string) {
    super(issue)
    this.status = status
    this.issue = issue
  }
}

/** Stores orders in memory. A repeated request id gets the first response again, also if it was an error. */
export class Ledger {
  readonly #orders = new Map<string, LedgerOrder>()
  readonly #byRequest = new Map<string, LedgerOrder>()
  readonly #captures = new Map<string, LedgerOrder | PayPalIssue>()
  captures = 0

  create(requestId: string | undefined, amount: Amount, customId: string | undefined): LedgerOrder {
    const known = requestId && this.#byRequest.get(requestId)
    if (known) return known
    const order: LedgerOrder = {
      id: mintId(),
      status: 'CREATED',
      amount,
      customId,
      payeeId: 'FAKEMERCHANT',
      bank: 'pays',
      capture: undefined,
    }
    this.#orders.set(order.id, order)
    if (requestId) this.#byRequest.set(requestId, order)
    return order
  }

  /** @throws PayPalIssue 404 */
  get(id: string): LedgerOrder {
    const order = this.#orders.get(id)
    if (!order) throw new PayPalIssue(404, 'INVALID_RESOURCE_ID')
    return order
  }

  /** The buyer approves in the payment window. */
  approve(id: string, bank: LedgerOrder['bank'] = 'pays'): void {
    const order = this.get(id)
    if (order.status === 'CREATED') order.status = 'APPROVED'
    order.bank = bank
  }

  /** @throws PayPalIssue 422 */
  capture(requestId: string | undefined, id: string): LedgerOrder {
    const known = requestId && this.#captures.get(requestId)
    const outcome = known || this.#capture(id)
    if (requestId) this.#captures.set(requestId, outcome)
    if (outcome instanceof PayPalIssue) throw outcome
    return outcome
  }

  #capture(id: string): LedgerOrder | PayPalIssue {
    const order = this.get(id)
    if (order.status === 'COMPLETED') return new PayPalIssue(422, 'ORDER_ALREADY_CAPTURED')
    if (order.status === 'CREATED') return new PayPalIssue(422, 'ORDER_NOT_APPROVED')
    if (order.bank === 'declines') return new PayPalIssue(422, 'INSTRUMENT_DECLINED')
    order.status = 'COMPLETED'
    order.capture = { id: mintId(), status: order.bank === 'pays' ? 'COMPLETED' : 'PENDING', amount: order.amount }
    this.captures += 1
    return order
  }

  /** @throws PayPalIssue 404 | 422 */
  refund(captureId: string): LedgerOrder {
    const order = [...this.#orders.values()].find(({ capture }) => capture?.id === captureId)
    if (!order?.capture) throw new PayPalIssue(404, 'INVALID_RESOURCE_ID')
    if (order.capture.status === 'REFUNDED') throw new PayPalIssue(422, 'CAPTURE_FULLY_REFUNDED')
    order.capture.status = 'REFUNDED'
    return order
  }
}
