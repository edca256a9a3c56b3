import pTimeout from 'p-timeout'
import type { Logger } from 'pino'
import { second } from '#core/units.ts'

type Stop = () => Promise<unknown> | void

interface Part {
  name: string
  stop: Stop
  limitMs: number
}

/** Parts that were started, stopped in the opposite order. */
export class Lifecycle {
  readonly #parts: Part[] = []
  readonly #cuts: (() => void)[] = []
  readonly #logger: Logger
  #stopping: Promise<void> | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** @param limitMs how long the part may take to stop before the next one is stopped all the same */
  onStop(name: string, stop: Stop, limitMs = 20 * second): void {
    this.#parts.push({ name, stop, limitMs })
  }

  /** @param cut called when requests that are under way are cut off, because they took longer than a stop may */
  onCut(cut: () => void): void {
    this.#cuts.push(cut)
  }

  cut(): void {
    for (const cut of this.#cuts) cut()
  }

  /** Stops all parts, last started first. Called twice, it still happens once. */
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
