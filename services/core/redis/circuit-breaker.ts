import { second } from '#core/units.ts'

const cooldownMs = second

/** Skips a store for a moment after it failed to respond, so that requests do not wait for it one after the other. */
export class CircuitBreaker {
  readonly #now: () => number
  #openUntil = 0

  constructor({ now = Date.now }: { now?: () => number } = {}) {
    this.#now = now
  }

  get isOpen(): boolean {
    return this.#now() < this.#openUntil
  }

  open(): void {
    this.#openUntil = this.#now() + cooldownMs
  }
}
