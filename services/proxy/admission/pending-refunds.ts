import type { LimitWindow } from './decision.ts'

const waitMs = 20

interface Pending {
  amount: number
  endsAtMs: number
}

/** Corrections to token counts, which wait briefly for the token's next call to Redis. */
export class PendingRefunds {
  readonly #send: (key: string, amount: number) => void
  readonly #pending = new Map<string, Pending>()
  #timer: NodeJS.Timeout | undefined

  constructor(send: (key: string, amount: number) => void) {
    this.#send = send
  }

  add({ rule, endsAtMs }: Pick<LimitWindow, 'rule' | 'endsAtMs'>, amount: number): void {
    const before = this.#pending.get(rule.key) ?? { amount: 0, endsAtMs }
    this.#pending.set(rule.key, {
      amount: before.amount + amount,
      endsAtMs: Math.min(before.endsAtMs, endsAtMs),
    })
    this.#timer ??= setTimeout(() => this.flush(), waitMs)
  }

  /** @returns the amount for the next call to refund; 0 once the window that counted it has ended */
  take(key: string, now: number): number {
    const pending = this.#pending.get(key)
    if (!pending) return 0
    this.#pending.delete(key)
    return pending.endsAtMs > now ? pending.amount : 0
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const now = Date.now()
    for (const key of this.#pending.keys()) {
      const amount = this.take(key, now)
      if (amount !== 0) this.#send(key, amount)
    }
  }
}
