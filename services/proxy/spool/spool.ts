import { mkdirSync } from 'node:fs'
import type { RequestEvent } from '#schemas/request-event.ts'
import { mib, second } from '#core/units.ts'
import { beginMark, endMark, Segment } from './segment.ts'

/** A segment is frozen, and so becomes a batch, at whichever comes first. */
const maxEnds = 1_000
const maxEndBytes = 4 * mib
const maxFileBytes = 16 * mib
const maxAgeMs = second

/** A request that takes longer than this is noted again in a newer segment, so that it does not hold old ones back. */
const carryAfterMs = 30 * second

/** Frozen segments whose ends stay in memory too; beyond that they are read back from disk. */
const keptInMemory = 8

/** The part of the limit at which new requests are turned away rather than go unlogged. */
const refuseAt = 0.95

export class SpoolFullError extends Error {
  override readonly name = 'SpoolFullError'
}

interface OpenRequest {
  record: string
  segment: Segment
}

interface SpoolOptions {
  maxBytes: number
  now?: () => number
}

/**
 * The proxy's journal on local disk: every request is noted when it begins and when it has ended, in one synchronous
 * append each. Frozen segments wait here, oldest first, until the shipper has brought them to the queue.
 */
export class Spool {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #now: () => number
  readonly #requests = new Map<string, OpenRequest>()
  /** Frozen segments that still exist, oldest first. */
  #frozen: Segment[] = []
  #current: Segment | undefined
  #bytes = 0

  constructor(folder: string, { maxBytes, now = Date.now }: SpoolOptions) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#now = now
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Notes a request before it goes to the provider, as the event that is true if nothing more is ever heard of it.
   * @throws SpoolFullError when the request must be turned away, because it could not be logged
   */
  begin(event: RequestEvent): void {
    if (this.#bytes >= this.#maxBytes * refuseAt) throw new SpoolFullError()
    const record = `${beginMark}${JSON.stringify(event)}\n`
    const segment = this.#writable()
    try {
      this.#append(segment, record)
    } catch (error) {
      this.#freeze(segment)
      throw new SpoolFullError('the spool can not be written', { cause: error })
    }
    segment.open.add(event.id)
    this.#requests.set(event.id, { record, segment })
  }

  /** Notes how a request ended. If the disk refuses, the event stays in memory and is shipped from there. */
  end(event: RequestEvent): void {
    const json = JSON.stringify(event)
    const segment = this.#writable()
    segment.ends?.push(json)
    segment.endCount += 1
    segment.endBytes += json.length
    try {
      this.#append(segment, `${endMark}${json}\n`)
    } catch {
      segment.memoryOnly = true
      this.#freeze(segment)
    }
    this.#requests.get(event.id)?.segment.open.delete(event.id)
    this.#requests.delete(event.id)
  }

  /** Freezes what is due, or all with `force`, and gives the oldest segment that is not shipped yet. */
  next({ force = false } = {}): Segment | undefined {
    const current = this.#current
    if (current && current.endCount > 0 && (force || this.#now() - current.openedAt >= maxAgeMs)) this.#freeze(current)
    return this.#frozen.find((segment) => !segment.shipped)
  }

  /** The queue has the batch on disk. Files go oldest first: a begin must never outlive the end that answers it. */
  async shipped(segment: Segment): Promise<void> {
    segment.shipped = true
    segment.ends = undefined
    for (let oldest = this.#frozen[0]; oldest?.shipped; oldest = this.#frozen[0]) {
      if (oldest.open.size > 0 && !this.#carryOver(oldest)) return
      this.#frozen.shift()
      this.#bytes -= oldest.bytes
      await oldest.remove()
    }
  }

  #writable(): Segment {
    const current = this.#current
    if (current && current.endCount < maxEnds && current.endBytes < maxEndBytes && current.bytes < maxFileBytes)
      return current
    if (current) this.#freeze(current)
    this.#current = new Segment(this.#folder, this.#now())
    return this.#current
  }

  #append(segment: Segment, record: string): void {
    const before = segment.bytes
    segment.append(record)
    this.#bytes += segment.bytes - before
  }

  #freeze(segment: Segment): void {
    segment.freeze()
    segment.shipped = segment.endCount === 0
    this.#frozen.push(segment)
    this.#current = undefined
    const waiting = this.#frozen.filter((each) => !each.shipped && !each.memoryOnly)
    for (const old of waiting.slice(keptInMemory)) old.ends = undefined
  }

  /** Notes requests that take long in a newer segment. @returns false when it is too early, or the disk refused */
  #carryOver(oldest: Segment): boolean {
    if (this.#now() - oldest.openedAt < carryAfterMs) return false
    for (const id of oldest.open) {
      const request = this.#requests.get(id)!
      const segment = this.#writable()
      try {
        this.#append(segment, request.record)
      } catch {
        return false
      }
      segment.open.add(id)
      request.segment = segment
      oldest.open.delete(id)
    }
    return true
  }
}
