import type { RequestEvent } from '#schemas/request-event.ts'
import { mib, second } from '#core/units.ts'
import { encodeHeader, jsonOf, mark, toRecord } from './records.ts'
import { Segment } from './segment.ts'

/** A segment is frozen, and so becomes a batch, at whichever comes first. */
const maxEnds = 1_000
const maxEndBytes = 4 * mib
const maxFileBytes = 16 * mib
const maxAgeMs = second

/** A request that takes longer than this is noted again in a newer segment, so that it does not hold old ones back. */
const carryAfterMs = 5 * second

/** Frozen segments whose ends stay in memory too; beyond that they are read back from disk. */
const keptInMemory = 8

/** The part of the room at which an operator is warned, and at which new requests are turned away. */
export const alertAt = 0.8
const refuseAt = 0.95

/** With less room than this on the disk the spool is full, whatever is in it. */
const leastRoom = mib

export class SpoolFullError extends Error {
  override readonly name = 'SpoolFullError'
}

interface OpenRequest {
  /** Filled further while the request is under way, so a later note says more. */
  event: RequestEvent
  segment: Segment
}

export interface SpoolOptions {
  maxBytes: number
  /** Of the queue; batches go to one after the other. */
  shards?: number
  now?: () => number
}

/**
 * The proxy's journal on local disk: every request is noted when it begins and when it has ended, in one synchronous
 * append each. Frozen segments wait here, oldest first, until the shipper has brought them to the queue.
 */
export class Spool {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #shards: number
  readonly #now: () => number
  readonly #requests = new Map<string, OpenRequest>()
  /** Frozen segments that still exist, oldest first. */
  #frozen: Segment[] = []
  #current: Segment | undefined
  #sequence = 0
  #bytes = 0
  #waiting = 0
  #accepted = 0
  #freeBytes = Number.POSITIVE_INFINITY
  #foreignBytes = 0

  /** @param folder exists, and nobody else writes to it */
  constructor(folder: string, { maxBytes, shards = 1, now = Date.now }: SpoolOptions) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#shards = shards
    this.#now = now
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.#bytes
  }

  /** Requests that were let in since this proxy started; every one of them becomes one log. */
  get accepted(): number {
    return this.#accepted
  }

  /** Requests that are accepted and not yet in the queue: under way, or ended and waiting. */
  get events(): number {
    return this.#requests.size + this.#waiting
  }

  /** When the oldest request ended whose event still waits here, ms since 1970. */
  get oldestEndAt(): number | undefined {
    return this.#unshipped().find((segment) => segment.firstEndAt)?.firstEndAt ?? this.#current?.firstEndAt
  }

  /** Used part of the room that the limit and the disk leave, 0 to 1. */
  get fullness(): number {
    const used = this.#bytes + this.#foreignBytes
    const room = Math.min(this.#maxBytes, used + this.#freeBytes)
    return this.#freeBytes < leastRoom ? 1 : used / room
  }

  /** @param foreignBytes what other proxies left on this disk and is being recovered; it counts as used */
  noteDisk({ freeBytes, foreignBytes }: { freeBytes: number; foreignBytes: number }): void {
    this.#freeBytes = freeBytes
    this.#foreignBytes = foreignBytes
  }

  /**
   * Notes a request before it goes to the provider, as the event that is true if nothing more is ever heard of it.
   * Called again for the same request, the newer note counts.
   * @throws SpoolFullError when the request must be turned away, because it could not be logged
   */
  begin(event: RequestEvent): void {
    if (this.fullness >= refuseAt) throw new SpoolFullError()
    const known = this.#requests.get(event.id)
    const segment = this.#writable()
    try {
      this.#append(segment, toRecord(known ? mark.carried : mark.begin, event.id, JSON.stringify(event)))
    } catch (error) {
      this.#discardOrFreeze(segment)
      throw new SpoolFullError('the spool can not be written', { cause: error })
    }
    known?.segment.open.delete(event.id)
    if (!known) this.#accepted += 1
    segment.open.add(event.id)
    this.#requests.set(event.id, { event, segment })
  }

  /** Notes how a request ended. If the disk refuses, the event stays in memory and is shipped from there. */
  end(event: RequestEvent): void {
    const known = this.#requests.get(event.id)
    const record = toRecord(known ? mark.end : mark.endOnly, event.id, JSON.stringify(event))
    const segment = this.#writable()
    let isOnDisk = true
    try {
      this.#append(segment, record)
    } catch {
      isOnDisk = false
    }
    segment.keepEnd(Buffer.from(jsonOf(record)), this.#now())
    this.#waiting += 1
    if (!known) this.#accepted += 1
    known?.segment.open.delete(event.id)
    this.#requests.delete(event.id)
    if (isOnDisk) return
    segment.memoryOnly = true
    this.#freeze(segment)
  }

  /** Freezes what is due, or all with `force`, and gives a shard's oldest segments that are not shipped yet. */
  next({ force = false, limit = 1, shard = 0 } = {}): Segment[] {
    const current = this.#current
    const isDue = current && current.endCount > 0 && this.#now() - current.openedAt >= maxAgeMs
    if (current && (isDue || force)) this.#freeze(current)
    return this.#unshipped()
      .filter((segment) => segment.shard === shard)
      .take(limit)
      .toArray()
  }

  /** The queue has the batch on disk. */
  markShipped(segment: Segment): void {
    if (!segment.shipped) this.#waiting -= segment.endCount
    segment.shipped = true
    segment.ends = undefined
  }

  /**
   * Removes what is shipped, oldest first and one after the other: a begin must never outlive the end that answers it.
   * Not to be called again before it has finished.
   */
  async removeShipped(): Promise<void> {
    for (let oldest = this.#frozen[0]; oldest?.shipped; oldest = this.#frozen[0]) {
      if (oldest.open.size > 0 && !this.#carryOver(oldest)) return
      await oldest.remove()
      this.#frozen.shift()
      this.#bytes -= oldest.bytes
    }
  }

  #unshipped() {
    return this.#frozen.values().filter((segment) => !segment.shipped)
  }

  #writable(): Segment {
    const current = this.#current
    if (current && current.endCount < maxEnds && current.endBytes < maxEndBytes && current.bytes < maxFileBytes)
      return current
    if (current) this.#freeze(current)
    this.#sequence += 1
    this.#current = new Segment(this.#folder, {
      sequence: this.#sequence,
      shard: this.#sequence % this.#shards,
      now: this.#now(),
    })
    return this.#current
  }

  #append(segment: Segment, record: Buffer): void {
    const before = segment.bytes
    if (before === 0) segment.append(encodeHeader(this.#accepted))
    segment.append(record)
    this.#bytes += segment.bytes - before
  }

  /** A segment that holds nothing is not kept: a full disk would otherwise leave one a request. */
  #discardOrFreeze(segment: Segment): void {
    if (segment.open.size > 0 || segment.endCount > 0) return this.#freeze(segment)
    segment.freeze()
    this.#bytes -= segment.bytes
    void segment.remove()
    this.#current = undefined
  }

  #freeze(segment: Segment): void {
    segment.freeze()
    segment.shipped = segment.endCount === 0
    this.#frozen.push(segment)
    this.#current = undefined
    const inMemory = this.#frozen.filter((each) => each.ends && !each.shipped && !each.memoryOnly)
    for (const old of inMemory.slice(keptInMemory)) old.ends = undefined
  }

  /** Notes requests that take long in a newer segment. @returns false when it is too early, or the disk refused */
  #carryOver(oldest: Segment): boolean {
    if (this.#now() - oldest.openedAt < carryAfterMs) return false
    for (const id of oldest.open) {
      const request = this.#requests.get(id)!
      const segment = this.#writable()
      try {
        this.#append(segment, toRecord(mark.carried, id, JSON.stringify(request.event)))
      } catch {
        this.#discardOrFreeze(segment)
        return false
      }
      segment.open.add(id)
      request.segment = segment
      oldest.open.delete(id)
    }
    return true
  }
}
