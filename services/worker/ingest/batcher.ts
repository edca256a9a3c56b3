import { setTimeout as sleep } from 'node:timers/promises'
import { UnrecoverableError } from 'bullmq'
import type { Logger } from '#core/logger.ts'
import { occasionalWarning } from '#core/occasional-warning.ts'
import { second } from '#core/units.ts'
import type { RequestLogRows } from '#store/clickhouse/logs/request-log-rows.ts'
import type { ReadBatch } from './batch-reader.ts'
import type { BatchGroup, GroupLedger } from './group-ledger.ts'
import type { InsertResult } from './report.ts'
import { maxRows } from '#shared/pipeline/group-limits.ts'
import type { UsageTally } from './usage-tally.ts'
import { codeOf, errorWithCode, messageOf } from '#core/errors.ts'

const firstPauseMs = 200
const longestPauseMs = 10 * second

/** Permanent errors of ClickHouse (ErrorCodes.cpp): parse, type and range errors. */
const nonRetryableCodes = {
  CANNOT_PARSE_TEXT: 6,
  CANNOT_PARSE_ESCAPE_SEQUENCE: 25,
  CANNOT_PARSE_QUOTED_STRING: 26,
  CANNOT_PARSE_INPUT_ASSERTION_FAILED: 27,
  CANNOT_PARSE_DATE: 38,
  CANNOT_PARSE_DATETIME: 41,
  TYPE_MISMATCH: 53,
  ARGUMENT_OUT_OF_BOUND: 69,
  CANNOT_CONVERT_TYPE: 70,
  CANNOT_PARSE_NUMBER: 72,
  INCORRECT_DATA: 117,
  CANNOT_READ_ARRAY_FROM_TEXT: 130,
  TOO_LARGE_STRING_SIZE: 131,
  VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE: 321,
  CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN: 349,
  CANNOT_PARSE_UUID: 376,
  DECIMAL_OVERFLOW: 407,
  CANNOT_PARSE_BOOL: 467,
}
const nonRetryable = new Set(Object.values(nonRetryableCodes).map(String))
const nonRetryableAttempts = 3

interface Waiting {
  batch: ReadBatch
  done: PromiseWithResolvers<boolean>
}

interface BatcherOptions {
  insert(rows: readonly RequestLogRows[], deduplicationToken: string): Promise<void>
  ledger: Pick<GroupLedger, 'open' | 'awaitReplicas' | 'markStored'>
  /** Maximum number of waiting batches; another one arrives only after one of them is stored. */
  maxBatches: number
  /** A group is full at this many bytes. */
  maxBytes: number
  /** A group that is not full is stored this long after the previous one, ms. */
  intervalMs(): number
  logger: Logger
  /** Called after every insert. */
  onInsert?(result: InsertResult): void
  /** Called once for each batch, by the worker that marked it as stored. */
  onStored?(usage: UsageTally): void
}

/** Collects batches into groups, and stores each group with one insert, which is retried until it succeeds. */
export class Batcher {
  readonly #options: BatcherOptions
  readonly #stopping = new AbortController()
  readonly #warn: (details: object) => void
  #waiting: Waiting[] = []
  #rows = 0
  #bytes = 0
  #flushedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(options: BatcherOptions) {
    this.#options = options
    this.#warn = occasionalWarning(options.logger, 'log rows could not be inserted; trying again')
  }

  /**
   * @returns true once the batch is stored; false if it is already in another group
   * @throws if the worker stops; UnrecoverableError if ClickHouse rejects the rows permanently
   */
  add(batch: ReadBatch): Promise<boolean> {
    const done = Promise.withResolvers<boolean>()
    this.#waiting.push({ batch, done })
    this.#rows += batch.rows.count
    this.#bytes += batch.bytes
    const { maxBatches, maxBytes, intervalMs } = this.#options
    if (this.#rows >= maxRows || this.#bytes >= maxBytes || this.#waiting.length >= maxBatches) {
      this.#flush()
    } else {
      const dueInMs = this.#flushedAt + intervalMs() - performance.now()
      this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, dueInMs))
    }
    return done.promise
  }

  /** Stops retrying failed inserts: batches that are not stored return to the queue. */
  stop(): void {
    this.#stopping.abort()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushedAt = performance.now()
    const group = this.#waiting
    this.#waiting = []
    this.#rows = 0
    this.#bytes = 0
    void this.#storeNew(group)
  }

  async #storeNew(waiting: readonly Waiting[]): Promise<void> {
    try {
      // After Redis was frozen, a batch may be delivered to this worker again while its first delivery waits here.
      const batches = new Map(waiting.map(({ batch }) => [batch.id, batch]))
      const group = await this.#options.ledger.open([...batches.keys()])
      const own = new Set(group?.batchIds)
      for (const { batch, done } of waiting) if (!own.has(batch.id)) done.resolve(false)
      const stored = [...own].flatMap((id) => batches.get(id) ?? [])
      if (group) await this.store(group, stored)
      for (const { batch, done } of waiting) if (own.has(batch.id)) done.resolve(true)
    } catch (error) {
      for (const { done } of waiting) done.reject(error)
    }
  }

  /** Also repeats the insert of a group whose worker died before marking the group as stored. */
  async store(group: BatchGroup, batches: readonly ReadBatch[]): Promise<void> {
    const rows = batches.map((batch) => batch.rows).filter(({ count }) => count > 0)
    if (rows.length > 0) await this.#options.ledger.awaitReplicas(group)
    let pauseMs = firstPauseMs
    for (let attempt = 1; rows.length > 0; attempt += 1) {
      const error = await this.#tryInsert(rows, group.id)
      if (!error) break
      if (attempt >= nonRetryableAttempts && nonRetryable.has(codeOf(error) ?? ''))
        throw new UnrecoverableError(`ClickHouse rejects the rows: ${messageOf(error).slice(0, 500)}`)
      this.#stopping.signal.throwIfAborted()
      await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
    const isFirst = await this.#options.ledger.markStored(group)
    if (isFirst) for (const { usage } of batches) this.#options.onStored?.(usage)
  }

  /** @returns the error; undefined once the rows are stored */
  async #tryInsert(rows: readonly RequestLogRows[], token: string): Promise<unknown> {
    const { insert, onInsert } = this.#options
    const count = rows.reduce((sum, each) => sum + each.count, 0)
    const startedAt = performance.now()
    try {
      await insert(rows, token)
      onInsert?.({ rows: count, ms: performance.now() - startedAt })
      return undefined
    } catch (caught) {
      const error = withoutRow(caught)
      onInsert?.({ rows: 0, ms: performance.now() - startedAt, error })
      this.#warn({ err: error, rows: count })
      return error
    }
  }
}

/** ClickHouse quotes a row that it can't read, such as a prompt, which is neither for the log nor for a dead letter. */
function withoutRow(error: unknown): unknown {
  const message = messageOf(error)
  if (!message.includes('(at row ')) return error
  const column = /while reading the value of key \w+/.exec(message)?.[0] ?? 'unknown column'
  const type = error instanceof Error && 'type' in error ? String(error.type) : 'unreadable row'
  return errorWithCode(codeOf(error) ?? '', `${type} (${column})`)
}
