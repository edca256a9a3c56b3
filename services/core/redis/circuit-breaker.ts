import { second } from '#core/units.ts'

const cooldownMs = second

/** A store that failed to respond is left alone for a while by those who share this: no request waits for it twice. */
export class CircuitBreaker {
  readonly #now: () => number
  #openUntil = 0

  constructor({ now = Date.now }: { now?: () => number } = {}) {
    this.#now = now
  }

  get isOpen(): boolean {
    return this.#now() < this.#openUntil
  }

  /** The store did not respond. */
  open(): void {
    this.#openUntil = this.#now() + cooldownMs
  }
}
