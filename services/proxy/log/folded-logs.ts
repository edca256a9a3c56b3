import type { LimitPair } from '#core/limits/shared-limit.ts'
import { mapValues } from '#core/records.ts'
import { minute } from '#core/units.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import type { Spool } from '../spool/spool.ts'
import { SpoolFullError } from '../spool/spool-full-error.ts'
import type { OpenRequest } from '../spool/segment.ts'

/** Why a request was not sent to the provider. */
type FoldedKind = 'rejection' | 'cache-hit' | 'at-limit'

interface FoldedLogsOptions {
  recorder: Pick<Spool, 'begin' | 'update' | 'end'>
  /** How many are logged individually per minute; none of the kind `at-limit`. */
  limits: Record<Exclude<FoldedKind, 'at-limit'>, LimitPair>
  now?: () => number
}

/** A row that counts requests of the current minute. */
interface FoldedLog {
  event: RequestEvent
  /** Undefined if the spool was full: the row is only in memory until the minute ends. */
  begun: OpenRequest | undefined
  totalMs: number
}

/**
 * Logs requests that were not sent to the provider. They cost a client nothing, so those above a limit are folded into
 * one counting row per minute: sums stay exact, and no client can fill the disk.
 */
export class FoldedLogs {
  readonly #options: FoldedLogsOptions
  readonly #now: () => number
  readonly #single: Record<Exclude<FoldedKind, 'at-limit'>, MinuteCount>
  readonly #open = new Map<string, FoldedLog>()
  #closing: NodeJS.Timeout | undefined

  constructor(options: FoldedLogsOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#single = mapValues(options.limits, (pair) => new MinuteCount(pair))
  }

  /** Resolves once the kernel has the log. */
  record(kind: FoldedKind, event: RequestEvent): Promise<void> {
    const now = this.#now()
    const isSingle = kind !== 'at-limit' && this.#single[kind].take(event.accountId, now)
    return isSingle ? this.#options.recorder.end(event) : this.#fold(event, now)
  }

  /** Ends the rows that are still counting. */
  close(): void {
    clearTimeout(this.#closing)
    this.#closing = undefined
    for (const { event, begun } of this.#open.values()) void this.#options.recorder.end(event, begun)
    this.#open.clear()
  }

  #fold(event: RequestEvent, now: number): Promise<void> {
    const { recorder } = this.#options
    const key = `${event.accountId} ${event.tokenId} ${event.status} ${event.errorMessage}`
    let folded = this.#open.get(key)
    if (folded) addTo(folded, event)
    else this.#open.set(key, (folded = { event, begun: this.#begin(event), totalMs: event.responseTimeMs }))
    this.#closing ??= setTimeout(() => this.close(), minute - (now % minute)).unref()
    return folded.begun ? recorder.update(folded.begun) : Promise.resolve()
  }

  #begin(event: RequestEvent): OpenRequest | undefined {
    try {
      return this.#options.recorder.begin(event)
    } catch (error) {
      if (error instanceof SpoolFullError) return undefined
      throw error
    }
  }
}

/** Adds the sums of a request, and clears fields in which the requests differ. */
function addTo(folded: FoldedLog, other: RequestEvent): void {
  const { event } = folded
  event.requestCount += 1
  folded.totalMs += other.responseTimeMs
  event.responseTimeMs = Math.round(folded.totalMs / event.requestCount)
  event.requestBytes += other.requestBytes
  event.responseBytes += other.responseBytes
  // Each request records the row again, so it has to be short.
  Object.assign(event, { requestHeaders: {}, requestBody: null, responseBody: null })
  if (event.endpoint !== other.endpoint) event.endpoint = '/v1/*'
  if (event.method !== other.method) event.method = '*'
  if (event.model !== other.model) event.model = null
  if (event.clientAddress !== other.clientAddress) event.clientAddress = null
  if (event.userAgent !== other.userAgent) event.userAgent = null
  if (event.query !== other.query) event.query = null
  // A new object, because all requests of a token share its tags.
  if (event.tags !== other.tags)
    event.tags = Object.fromEntries(Object.entries(event.tags).filter(([key, value]) => other.tags[key] === value))
}

/** Counts of the current minute, by account and in total. */
class MinuteCount {
  readonly #limits: LimitPair
  readonly #byAccount = new Map<string, number>()
  #total = 0
  #minute = -1

  constructor(limits: LimitPair) {
    this.#limits = limits
  }

  /** @returns whether another request is within both limits */
  take(accountId: string, now: number): boolean {
    const current = Math.floor(now / minute)
    if (current !== this.#minute) {
      this.#minute = current
      this.#total = 0
      this.#byAccount.clear()
    }
    const count = this.#byAccount.get(accountId) ?? 0
    if (count >= this.#limits.account || this.#total >= this.#limits.process) return false
    this.#byAccount.set(accountId, count + 1)
    this.#total += 1
    return true
  }
}
