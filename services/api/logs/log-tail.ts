import { LRUCache } from 'lru-cache'
import { FairQueue } from '#core/limits/fair-queue.ts'
import type { Logger } from '#core/logger.ts'
import { minute, second } from '#core/units.ts'
import type { RequestLogFilters } from '#schemas/request-logs.ts'
import type { RequestLogStore, TailedLog } from '#store/clickhouse/logs/request-logs.ts'

const pollMs = second

/** Inserts may become visible out of order, so polls overlap by this much. */
const overlapMs = 5 * second

/** Maximum number of rows per poll, which is more than a person can read. */
const rowsAtOnce = 500

/** Parallel polls; leaves capacity for other queries. If there are many tails, each is polled less often. */
const pollsAtOnce = 2

/** How far back a listener can resume. */
const longestCatchUp = 5 * minute

type TailListener = (logs: readonly TailedLog[]) => void

interface Channel {
  accountId: string
  filters: RequestLogFilters
  listeners: Set<TailListener>
  seen: LRUCache<string, true>
  sinceMs: number
  timer: NodeJS.Timeout | undefined
  /** Resolves once the logs that precede the first listener are marked as seen. */
  primed: Promise<unknown>
}

/** Polls for new logs every second. Listeners with equal filters share the query. */
export class LogTail {
  readonly #logs: Pick<RequestLogStore, 'storedSince'>
  readonly #logger: Logger
  readonly #now: () => number
  readonly #channels = new Map<string, Channel>()
  /** Without a limit, because the route already limits the number of tails. */
  readonly #queue = new FairQueue({ perAccount: 1, atOnce: pollsAtOnce })

  constructor(logs: Pick<RequestLogStore, 'storedSince'>, logger: Logger, now: () => number = Date.now) {
    this.#logs = logs
    this.#logger = logger
    this.#now = now
  }

  /** Once this resolves, the listener gets every stored log. @returns a function that stops listening */
  async listen(accountId: string, filters: RequestLogFilters, listener: TailListener): Promise<() => void> {
    const key = JSON.stringify([accountId, filters])
    let channel = this.#channels.get(key)
    if (!channel) {
      channel = this.#open(accountId, filters, listener)
      this.#channels.set(key, channel)
    }
    const { listeners, primed } = channel
    listeners.add(listener)
    const stop = () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#channels.get(key)?.listeners !== listeners) return
      clearTimeout(channel.timer)
      this.#channels.delete(key)
    }
    try {
      await primed
      return stop
    } catch (error) {
      stop()
      throw error
    }
  }

  /**
   * Overlaps what the listener got: logs of one insert share their time, and others of that time were not visible yet.
   * @param sinceMs storage time of the last log that the listener got, ms since 1970
   */
  missed(accountId: string, filters: RequestLogFilters, sinceMs: number): Promise<TailedLog[]> {
    const now = this.#now()
    const from = Math.min(now, Math.max(sinceMs, now - longestCatchUp)) - overlapMs
    return this.#queue.run(accountId, () => this.#logs.storedSince(accountId, filters, from, rowsAtOnce))
  }

  #open(accountId: string, filters: RequestLogFilters, first: TailListener): Channel {
    const channel: Channel = {
      accountId,
      filters,
      listeners: new Set([first]),
      seen: new LRUCache({ max: 10 * rowsAtOnce }),
      sinceMs: this.#now(),
      timer: undefined,
      primed: Promise.resolve(),
    }
    channel.primed = this.#readFresh(channel).then(() => this.#schedule(channel))
    return channel
  }

  #schedule(channel: Channel): void {
    if (channel.listeners.size > 0) channel.timer = setTimeout(() => void this.#poll(channel), pollMs)
  }

  async #poll(channel: Channel): Promise<void> {
    try {
      const fresh = await this.#readFresh(channel)
      if (fresh.length > 0) for (const listener of channel.listeners) listener(fresh)
    } catch (error) {
      this.#logger.warn({ err: error }, 'the live tail could not be queried')
    }
    this.#schedule(channel)
  }

  /** New logs since the last poll. */
  async #readFresh(channel: Channel): Promise<TailedLog[]> {
    const { accountId, filters, listeners, seen } = channel
    const rows = await this.#queue.run(accountId, async () =>
      // The last listener may have left while the poll waited for its turn.
      listeners.size > 0 ? this.#logs.storedSince(accountId, filters, channel.sinceMs - overlapMs, rowsAtOnce) : [],
    )
    const fresh = rows.filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.set(id, true)
    channel.sinceMs = Math.max(channel.sinceMs, ...rows.map((row) => row.ingestedAtMs))
    return fresh
  }
}
