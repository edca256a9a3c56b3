import pTimeout from 'p-timeout'
import type { Logger } from 'pino'

type Stop = () => Promise<unknown> | void

/** Parts that were started, stopped in the opposite order. */
export class Lifecycle {
  readonly #parts: { name: string; stop: Stop }[] = []
  readonly #logger: Logger
  readonly #limitMs: number
  #stopping: Promise<void> | undefined

  /** @param limitMs how long one part may take to stop before the next one is stopped all the same */
  constructor(logger: Logger, limitMs = 20_000) {
    this.#logger = logger
    this.#limitMs = limitMs
  }

  onStop(name: string, stop: Stop): void {
    this.#parts.push({ name, stop })
  }

  /** Stops all parts, last started first. Called twice, it still happens once. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll()
    return this.#stopping
  }

  async #stopAll(): Promise<void> {
    for (const { name, stop } of this.#parts.toReversed()) {
      try {
        const message = `${name} took too long to stop`
        await pTimeout(Promise.resolve(stop()), { milliseconds: this.#limitMs, message })
      } catch (error) {
        this.#logger.error({ err: error }, `${name} did not stop cleanly`)
      }
    }
  }
}
