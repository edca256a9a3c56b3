import type { Logger } from '#core/logger.ts'
import { second } from '#core/units.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import type { ReadBatch } from './batch-reader.ts'
import type { BatchGroup, GroupLedger } from './group-ledger.ts'

const maxRows = 50_000
const maxWaitMs = second / 2
const firstPauseMs = 200
const longestPauseMs = 10 * second

interface Waiting {
  batch: ReadBatch
  done: PromiseWithResolvers<void>
}

interface BatcherOptions {
  insert(events: readonly RequestEvent[], deduplicationToken: string): Promise<void>
  ledger: GroupLedger
  logger: Logger
}

/**
 * Gathers batches into groups and stores each group with one insert, again and again until ClickHouse has it.
 * `add` resolves when the batch is stored; it rejects only when the worker stops.
 */
export class Batcher {
  readonly #options: BatcherOptions
  readonly #stopping = new AbortController()
  #waiting: Waiting[] = []
  #rows = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: BatcherOptions) {
    this.#options = options
  }

  add(batch: ReadBatch): Promise<void> {
    const done = Promise.withResolvers<void>()
    this.#waiting.push({ batch, done })
    this.#rows += batch.events.length
    if (this.#rows >= maxRows) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), maxWaitMs)
    return done.promise
  }

  /** Repeats the insert of a group whose worker died before it could say that it is stored. */
  async replay(group: BatchGroup, batches: readonly ReadBatch[]): Promise<void> {
    await this.#store(group, batches)
  }

  /** Gives up waiting for ClickHouse; what is not stored goes back to the queue. */
  stop(): void {
    this.#stopping.abort()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const group = this.#waiting
    this.#waiting = []
    this.#rows = 0
    void this.#storeNew(group)
  }

  async #storeNew(waiting: readonly Waiting[]): Promise<void> {
    try {
      const batches = waiting.map(({ batch }) => batch)
      await this.#store(await this.#options.ledger.open(batches.map(({ id }) => id)), batches)
      for (const { done } of waiting) done.resolve()
    } catch (error) {
      for (const { done } of waiting) done.reject(error)
    }
  }

  async #store(group: BatchGroup, batches: readonly ReadBatch[]): Promise<void> {
    const { insert, ledger, logger } = this.#options
    const events = batches.flatMap((batch) => batch.events)
    for (let pauseMs = firstPauseMs; events.length > 0; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      this.#stopping.signal.throwIfAborted()
      try {
        await insert(events, group.id)
        break
      } catch (error) {
        logger.warn({ err: error, rows: events.length }, 'ClickHouse does not take log rows; trying again')
        await this.#pause(pauseMs)
      }
    }
    await ledger.markStored(group)
  }

  #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#stopping.signal.addEventListener('abort', () => resolve(), { once: true })
    return promise.finally(() => clearTimeout(timer))
  }
}
