import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { second } from '#core/units.ts'

export interface GrowingDelayOptions {
  /** Attempts without a delay. */
  free: number
  /** Seconds from the first attempt until all are forgotten. */
  duration: number
  /** Longest delay between two attempts, ms. */
  maxDelayMs: number
}

const firstDelayMs = 10 * second

/** Delay after this many attempts, ms; it doubles each time. */
export const delayAfter = (attempts: number, { free, maxDelayMs }: GrowingDelayOptions): number =>
  attempts <= free ? 0 : Math.min(firstDelayMs * 2 ** (attempts - free - 1), maxDelayMs)

/** Counts attempts. Each one after the free ones starts a longer delay; attempts in it are rejected and not counted. */
export class GrowingDelay {
  readonly #attempts: RateLimiterAbstract
  readonly #cooldown: RateLimiterAbstract
  readonly #options: GrowingDelayOptions

  /**
   * @param attempts counts attempts for `options.duration`
   * @param cooldown allows one attempt at a time
   */
  constructor(attempts: RateLimiterAbstract, cooldown: RateLimiterAbstract, options: GrowingDelayOptions) {
    this.#attempts = attempts
    this.#cooldown = cooldown
    this.#options = options
  }

  /** @throws RateLimiterRes with the remaining delay */
  async consume(key: string): Promise<void> {
    const { consumedPoints } = await this.#attempts.penalty(key)
    const delayMs = delayAfter(consumedPoints, this.#options)
    if (delayMs === 0) return
    try {
      await this.#cooldown.consume(key, 1, { customDuration: Math.ceil(delayMs / second) })
    } catch (rejected) {
      if (rejected instanceof RateLimiterRes) await this.#attempts.reward(key)
      throw rejected
    }
  }

  async reward(key: string): Promise<void> {
    await this.#attempts.reward(key)
  }

  async delete(key: string): Promise<void> {
    await Promise.all([this.#attempts.delete(key), this.#cooldown.delete(key)])
  }
}
