import pTimeout from 'p-timeout'
import type { Logger } from 'pino'
import { second } from '#core/units.ts'

interface Part {
  name: string
  stop(): Promise<unknown> | void
  limitMs: number
}

export class Lifecycle {
  readonly #parts: Part[] = []
  readonly #cuts: (() => void)[] = []
  readonly #logger: Logger
  #stopping: Promise<void> | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** @param limitMs after this time, the next part is stopped anyway */
  onStop(name: string, stop: Part['stop'], limitMs = 20 * second): void {
    this.#parts.push({ name, stop, limitMs })
  }

  /** @param cut called when a stop cuts off requests that took too long */
  onCut(cut: () => void): void {
    this.#cuts.push(cut)
  }

  cut(): void {
    for (const cut of this.#cuts) cut()
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll()
    return this.#stopping
  }

  async #stopAll(): Promise<void> {
    for (const { name, stop, limitMs } of this.#parts.toReversed()) {
      try {
        const message = `${name} took too long to stop`
        await pTimeout(Promise.resolve(stop()), { milliseconds: limitMs, message })
      } catch (error) {
        this.#logger.error({ err: error }, `${name} did not stop cleanly`)
      }
    }
  }
}
