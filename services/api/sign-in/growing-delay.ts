import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { second } from '#core/units.ts'

export interface GrowingDelayOptions {
  /** Attempts that do not wait for each other. */
  free: number
  /** Seconds from the first attempt until all are forgotten. */
  duration: number
  /** The longest that an attempt waits for the one before it, ms. */
  maxDelayMs: number
}

const firstDelayMs = 10 * second

/** How long the gate stays closed after so many attempts, ms: twice as long each time. */
export const delayAfter = (attempts: number, { free, maxDelayMs }: GrowingDelayOptions): number =>
  attempts <= free ? 0 : Math.min(firstDelayMs * 2 ** (attempts - free - 1), maxDelayMs)

/**
 * Counts attempts. Past the free ones each closes a gate behind it for longer and longer, but never for good; what
 * comes meanwhile is rejected and does not count.
 */
export class GrowingDelay {
  readonly #attempts: RateLimiterAbstract
  readonly #gate: RateLimiterAbstract
  readonly #options: GrowingDelayOptions

  /**
   * @param attempts counts for `options.duration`
   * @param gate lets one attempt through at a time
   */
  constructor(attempts: RateLimiterAbstract, gate: RateLimiterAbstract, options: GrowingDelayOptions) {
    this.#attempts = attempts
    this.#gate = gate
    this.#options = options
  }

  /** @throws RateLimiterRes with the time until the gate opens */
  async consume(key: string): Promise<void> {
    const { consumedPoints } = await this.#attempts.penalty(key)
    const delayMs = delayAfter(consumedPoints, this.#options)
    if (delayMs === 0) return
    try {
      await this.#gate.consume(key, 1, { customDuration: Math.ceil(delayMs / second) })
    } catch (rejected) {
      if (rejected instanceof RateLimiterRes) await this.#attempts.reward(key)
      throw rejected
    }
  }

  async reward(key: string): Promise<void> {
    await this.#attempts.reward(key)
  }

  async delete(key: string): Promise<void> {
    await Promise.all([this.#attempts.delete(key), this.#gate.delete(key)])
  }
}
