import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RequestEvent } from '#schemas/request-event.ts'
import { mib, second } from '#core/units.ts'
import { DiskRoom } from './disk-room.ts'
import { FrozenSegments } from './frozen-segments.ts'
import { SpoolFullError } from './spool-full-error.ts'
import { encodeBeginning, encodeHeader, mark, RecordBuffer, type RecordMark } from './records.ts'
import { type OpenRequest, Segment } from './segment.ts'

/** A segment is frozen, and so becomes a batch, at whichever comes first. */
const maxEnds = 1_000
const maxEndBytes = 4 * mib
const maxFileBytes = 16 * mib
const maxAgeMs = second

/** A request that takes longer than this is noted again in a newer segment, so that it does not hold old ones back. */
const rollForwardAfterMs = 5 * second
const rolledForwardAtOnce = 64

/** The part of the room at which an operator is warned, and at which new requests are rejected. */
export const alertAt = 0.8
const rejectAt = 0.95

export interface SpoolOptions {
  maxBytes: number
  /** Of the queue; batches go to one after the other. */
  shards?: number
  now?: () => number
}

/**
 * The proxy's journal on local disk: every request is noted when it begins, before anything else happens to it, and
 * when it has ended. Frozen segments wait here, oldest first, until the shipper has brought them to the queue.
 */
export class Spool {
  readonly #folder: string
  readonly #room: DiskRoom
  readonly #shards: number
  readonly #now: () => number
  readonly #frozen = new FrozenSegments()
  #current: Segment | undefined
  /** Records of the current segment. */
  readonly #unwritten = new RecordBuffer()
  #hasUnwrittenEnds = false
  /** Requests whose beginnings are among the unwritten records. */
  #unconfirmed: OpenRequest[] = []
  /** Requests whose newer notes are among the unwritten records. */
  #rolledForward: OpenRequest[] = []
  /** Resolved once the unwritten records are written. One for all, so that none of them can get at another's. */
  #written: PromiseWithResolvers<void> | undefined
  #isWriteDue = false
  #sequence = 0
  #bytes = 0
  #open = 0
  #waiting = 0
  #accepted = 0

  /** @param folder exists, and nothing else writes to it */
  constructor(folder: string, { maxBytes, shards = 1, now = Date.now }: SpoolOptions) {
    this.#folder = folder
    this.#room = new DiskRoom(maxBytes)
    this.#shards = shards
    this.#now = now
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Requests that were let in since this proxy started; every one of them becomes one log. */
  get accepted(): number {
    return this.#accepted
  }

  /** Requests that are accepted and not yet in the queue: under way, or ended and waiting. */
  get events(): number {
    return this.#open + this.#waiting
  }

  /** When the oldest request ended whose event still waits here, ms since 1970. */
  get oldestEndAt(): number | undefined {
    return this.#frozen.unshipped().find((segment) => segment.firstEndAt)?.firstEndAt ?? this.#current?.firstEndAt
  }

  /** Used part of the room that the limit and the disk leave, 0 to 1. */
  get fullness(): number {
    return this.#room.fullness(this.#bytes)
  }

  noteDisk(disk: { freeBytes: number; foreignBytes: number }): void {
    this.#room.note(disk)
  }

  /**
   * Notes a request, as the event that is true if nothing more is ever heard of it. The note is with the kernel by the
   * end of this turn of the event loop, because one write for all that begin or end in it is cheaper.
   * @returns what `confirm` and `end` want of this request
   * @throws SpoolFullError when the request must be rejected, because it could not be logged
   */
  begin(event: RequestEvent): OpenRequest {
    if (this.fullness >= rejectAt) throw new SpoolFullError()
    this.#add(mark.begin, event.id, encodeBeginning(event))
    const segment = this.#current!
    const request: OpenRequest = { event, segment, place: 0, isNoted: false }
    segment.enter(request)
    this.#open += 1
    this.#unconfirmed.push(request)
    this.#writeSoon()
    return request
  }

  /**
   * To be called before a request goes to the provider: when it returns the note is with the kernel.
   * @throws SpoolFullError when the write failed, so the request must not go on
   */
  confirm(begun: OpenRequest): void {
    if (!begun.isNoted) this.#write()
    if (!begun.isNoted) throw new SpoolFullError('the spool can not be written', { cause: begun.writeError })
  }

  /**
   * Notes a request that is under way once more, as its event is now. If the write fails, the note before it stays.
   * @returns once the note is with the kernel, at the end of this turn
   */
  update(begun: OpenRequest): Promise<void> {
    if (begun.writeError !== undefined) return Promise.resolve()
    this.#add(mark.rolledForward, begun.event.id, JSON.stringify(begun.event))
    this.#writeSoon()
    return this.#endOfWrite()
  }

  /**
   * Notes how a request ended, by the end of this turn as well; a request without a beginning would be lost until then,
   * so it is written at once. If the write fails, the event stays in memory and is shipped from there.
   * @param begun what `begin` returned; a request that was rejected before has only an end
   * @returns once the note is written or in memory; never rejects
   */
  end(event: RequestEvent, begun?: OpenRequest): Promise<void> {
    if (begun && !begun.isNoted) this.#write()
    this.#add(begun?.isNoted ? mark.end : mark.endOnly, event.id, JSON.stringify(event))
    this.#current!.keepEnd(this.#unwritten.lastJson(), this.#now())
    this.#hasUnwrittenEnds = true
    this.#waiting += 1
    const written = this.#endOfWrite()
    if (begun?.isNoted) {
      this.#open -= 1
      begun.segment.leave(begun)
      this.#writeSoon()
    } else {
      this.#write()
      this.#accepted += 1
    }
    return written
  }

  /** Freezes what is due, or all with `force`, and gives a shard's oldest segments that are not shipped yet. */
  next({ force = false, limit = 1, shard = 0 } = {}): Segment[] {
    const current = this.#current
    const isDue = current && current.endCount > 0 && this.#now() - current.openedAt >= maxAgeMs
    if (current && (isDue || force)) this.#freeze(current)
    return this.#frozen.unshippedOf(shard).take(limit).toArray()
  }

  /** The queue has the batch on disk. */
  markShipped(segment: Segment): void {
    if (!segment.shipped) this.#waiting -= segment.endCount
    segment.shipped = true
    segment.dropText()
  }

  /**
   * Removes what is shipped, oldest first and one after the other: a begin must never outlive its end.
   * Not to be called again before it has finished.
   * @param reportedTotal how many accepted requests the delivery counters know of; recovery counts the others.
   */
  async removeShipped(reportedTotal: number): Promise<void> {
    for (;;) {
      const { oldest } = this.#frozen
      if (!oldest?.shipped || oldest.accepted > reportedTotal) return
      if (oldest.open.length > 0 && !(await this.#rollForward(oldest))) return
      this.#write()
      await oldest.remove()
      this.#frozen.dropOldest()
      this.#bytes -= oldest.bytes
    }
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

  /** Adds a record to those of the current segment that are to be written. */
  #add(kind: RecordMark, id: string, json: string): void {
    for (;;) {
      this.#writable()
      if (this.#unwritten.add(kind, id, json)) return
      this.#write()
    }
  }

  #writeSoon(): void {
    if (this.#isWriteDue) return
    this.#isWriteDue = true
    setImmediate(() => {
      this.#isWriteDue = false
      this.#write()
    })
  }

  /** One synchronous append of all that is to be written. @returns why it failed; ends stay in memory then */
  #write(): unknown {
    const segment = this.#current
    if (!segment || this.#unwritten.isEmpty) return undefined
    const [hasEnds, unconfirmed, rolledForward] = [this.#hasUnwrittenEnds, this.#unconfirmed, this.#rolledForward]
    const written = this.#written
    this.#hasUnwrittenEnds = false
    this.#unconfirmed = []
    this.#rolledForward = []
    this.#written = undefined
    const records = this.#unwritten.take()
    const before = segment.bytes
    try {
      if (before === 0) segment.append(encodeHeader(this.#accepted))
      segment.append(records)
      this.#accepted += unconfirmed.length
      for (const request of unconfirmed) request.isNoted = true
      for (const request of rolledForward) segment.takeOver(request)
      return undefined
    } catch (error) {
      for (const request of unconfirmed) this.#failWrite(request, error)
      segment.memoryOnly ||= hasEnds
      this.#discardOrRetire(segment)
      return error
    } finally {
      this.#bytes += segment.bytes - before
      written?.resolve()
    }
  }

  #endOfWrite(): Promise<void> {
    this.#written ??= Promise.withResolvers<void>()
    return this.#written.promise
  }

  #failWrite(request: OpenRequest, reason: unknown): void {
    request.writeError = reason
    request.segment.leave(request)
    this.#open -= 1
  }

  /** A segment that holds nothing is not kept: a full disk would otherwise leave one a request. */
  #discardOrRetire(segment: Segment): void {
    if (segment.open.length > 0 || segment.endCount > 0) return this.#retire(segment)
    segment.freeze()
    this.#bytes -= segment.bytes
    void segment.remove()
    this.#current = undefined
  }

  #freeze(segment: Segment): void {
    // A segment that could not be written is retired by that.
    if (this.#write() === undefined) this.#retire(segment)
  }

  #retire(segment: Segment): void {
    segment.freeze()
    segment.accepted = this.#accepted
    segment.shipped = segment.endCount === 0
    this.#frozen.add(segment)
    this.#current = undefined
  }

  /**
   * Notes requests that take long in a newer segment, a few at a time: thousands may be under way, and the others of
   * this process would wait for all of them.
   * @returns false when it is too early, or the write failed
   */
  async #rollForward(oldest: Segment): Promise<boolean> {
    if (this.#now() - oldest.openedAt < rollForwardAfterMs) return false
    for (; oldest.open.length > 0; await nextTurn()) {
      for (const request of oldest.open.slice(-rolledForwardAtOnce)) {
        this.#add(mark.rolledForward, request.event.id, JSON.stringify(request.event))
        this.#rolledForward.push(request)
      }
      if (this.#write() !== undefined) return false
    }
    return true
  }
}
