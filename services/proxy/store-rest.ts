import { second } from '#core/units.ts'

const restMs = second

/** A store that failed to answer is left alone for a while by all who use it: no request waits for it twice. */
export class StoreRest {
  readonly #now: () => number
  #until = 0

  constructor({ now = Date.now }: { now?: () => number } = {}) {
    this.#now = now
  }

  get isResting(): boolean {
    return this.#now() < this.#until
  }

  /** The store did not answer. */
  begin(): void {
    this.#until = this.#now() + restMs
  }
}
