import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RequestEvent } from '#schemas/request-event.ts'
import { mib, second } from '#core/units.ts'
import { DiskRoom } from './disk-room.ts'
import { FrozenSegments } from './frozen-segments.ts'
import { SpoolFullError } from './spool-full-error.ts'
import { encodeBeginning, encodeHeader, mark, RecordBuffer, type RecordMark } from './records.ts'
import { type OpenRequest, Segment } from './segment.ts'

/** A segment is frozen and becomes a batch when it reaches any of these limits. */
export const maxEnds = 1_000
export const maxEndBytes = 4 * mib
const maxFileBytes = 16 * mib

/** A longer request is recorded again in a newer segment, so that old ones can be removed. */
const rollForwardAfterMs = 5 * second
const rollForwardBatch = 64

/** Fullness at which the operator is alerted, and at which new requests are rejected. */
export const alertAt = 0.8
export const rejectAt = 0.95

interface SpoolOptions {
  maxBytes: number
  /** Number of queue shards; batches alternate between them. */
  shards?: number
  /** The age of a segment is limited as well, ms. */
  maxAgeMs?: number | undefined
  now?: () => number
}

/**
 * The proxy's journal on local disk: every request is recorded when it begins, before it is sent to the provider, and
 * when it ends. Frozen segments wait here, oldest first, until the shipper has added them to the queue.
 */
export class Spool {
  readonly #folder: string
  readonly #room: DiskRoom
  readonly #shards: number
  readonly #maxAgeMs: number
  readonly #now: () => number
  readonly #frozen = new FrozenSegments()
  #current: Segment | undefined
  readonly #unwritten = new RecordBuffer()
  #hasUnwrittenEnds = false
  /** Requests whose beginnings are among the unwritten records. */
  #unconfirmed: OpenRequest[] = []
  /** Requests whose newer states are among the unwritten records. */
  #rolledForward: OpenRequest[] = []
  /** Resolves once the unwritten records are written. */
  #written: PromiseWithResolvers<void> | undefined
  #isWriteDue = false
  #sequence = 0
  #bytes = 0
  #open = 0
  #waiting = 0
  #accepted = 0

  /** @param folder must exist, and nothing else may write to it */
  constructor(folder: string, { maxBytes, shards = 1, maxAgeMs = second, now = Date.now }: SpoolOptions) {
    this.#folder = folder
    this.#room = new DiskRoom(maxBytes)
    this.#shards = shards
    this.#maxAgeMs = maxAgeMs
    this.#now = now
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Requests accepted since this proxy started; each one gets one log. */
  get accepted(): number {
    return this.#accepted
  }

  /** Accepted requests that are not in the queue yet, whether in progress or ended. */
  get events(): number {
    return this.#open - this.#unconfirmed.length + this.#waiting
  }

  /** When the oldest waiting event ended, epoch ms. */
  get oldestEndAt(): number | undefined {
    return this.#frozen.unshipped().find((segment) => segment.firstEndAt)?.firstEndAt ?? this.#current?.firstEndAt
  }

  /** Used fraction of the available space, 0 to 1. */
  get fullness(): number {
    return this.#room.fullness(this.#bytes)
  }

  noteDisk(disk: { freeBytes: number; foreignBytes: number }): void {
    this.#room.note(disk)
  }

  /**
   * Records a request, with the event to log if the process dies. It is written by the end of this turn of the event
   * loop, because one write for all requests of a turn is cheaper.
   * @throws SpoolFullError when the request must be rejected, because it could not be logged
   */
  begin(event: RequestEvent): OpenRequest {
    if (this.fullness >= rejectAt) throw new SpoolFullError()
    const segment = this.#add(mark.begin, event.id, encodeBeginning(event))
    const request: OpenRequest = { event, segment, place: 0, isNoted: false }
    segment.enter(request)
    this.#open += 1
    this.#unconfirmed.push(request)
    this.#writeSoon()
    return request
  }

  /**
   * Call it before a request is sent to the provider: once it returns, the kernel has the record.
   * @throws SpoolFullError when the write failed, so the request must be rejected
   */
  confirm(begun: OpenRequest): void {
    if (!begun.isNoted) this.#write()
    if (!begun.isNoted) throw new SpoolFullError('the spool cannot be written', { cause: begun.writeError })
  }

  /**
   * Records the current state of a request in progress. If the write fails, the previous record remains.
   * @returns once the kernel has the record, at the end of this turn
   */
  update(begun: OpenRequest): Promise<void> {
    if (begun.writeError !== undefined) return Promise.resolve()
    this.#add(mark.rolledForward, begun.event.id, JSON.stringify(begun.event))
    this.#writeSoon()
    return this.#endOfWrite()
  }

  /**
   * Records the end of a request, by the end of this turn, or at once if its beginning is unwritten, because a crash
   * would lose it. If the write fails, the event is shipped from memory.
   * @param begun returned by `begin`; undefined for a request that was rejected before
   * @returns once the record is written or in memory; never rejects
   */
  end(event: RequestEvent, begun?: OpenRequest): Promise<void> {
    if (begun && !begun.isNoted) this.#write()
    const segment = this.#add(begun?.isNoted ? mark.end : mark.endOnly, event.id, JSON.stringify(event))
    segment.keepEnd(this.#unwritten.lastJson(), this.#now())
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

  /** Freezes the current segment if it is due, or with `force`. @returns the shard's oldest unshipped segments */
  next({ force = false, limit = 1, shard = 0 } = {}): Segment[] {
    const current = this.#current
    const isDue = current && current.endCount > 0 && current.ageAt(this.#now()) >= this.#maxAgeMs
    if (current && (isDue || force)) this.#freeze(current)
    return this.#frozen.unshippedOf(shard, limit)
  }

  /** Call it once the queue has the batch on disk. */
  markShipped(segment: Segment): void {
    if (!segment.shipped) this.#waiting -= segment.endCount
    segment.shipped = true
    segment.dropText()
  }

  /**
   * Removes shipped segments, oldest first, because a beginning must never outlive its end, and none before ends that exist
   * only in memory are shipped. Must not be called again before it has finished.
   * @param reportedTotal accepted requests in the delivery counters; recovery reports the others
   */
  async removeShipped(reportedTotal: number): Promise<void> {
    for (;;) {
      const { oldest } = this.#frozen
      if (!oldest?.shipped || oldest.accepted > reportedTotal) return
      if (oldest.open.length > 0 && !(await this.#rollForward(oldest))) return
      this.#write()
      if (this.#frozen.hasEndsInMemory(oldest)) return
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

  /** @returns the current segment, which will get the record */
  #add(kind: RecordMark, id: string, json: string): Segment {
    for (;;) {
      const segment = this.#writable()
      if (this.#unwritten.add(kind, id, json)) return segment
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

  /** Appends all unwritten records synchronously. @returns the error if that failed; ends then stay in memory */
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

  /** Discards an empty segment: a full disk would otherwise leave one for each request. */
  #discardOrRetire(segment: Segment): void {
    if (segment.open.length > 0 || segment.endCount > 0) return this.#retire(segment)
    segment.freeze()
    this.#bytes -= segment.bytes
    void segment.remove()
    this.#current = undefined
  }

  #freeze(segment: Segment): void {
    // A failed write has retired the segment already.
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
   * Records slow requests again in a newer segment, a few per turn: there may be thousands, and they must not block the
   * event loop.
   * @returns false when it is too early, or the write failed
   */
  async #rollForward(oldest: Segment): Promise<boolean> {
    if (oldest.ageAt(this.#now()) < rollForwardAfterMs) return false
    for (; oldest.open.length > 0; await nextTurn()) {
      for (const request of oldest.open.slice(-rollForwardBatch)) {
        this.#add(mark.rolledForward, request.event.id, JSON.stringify(request.event))
        this.#rolledForward.push(request)
      }
      if (this.#write() !== undefined) return false
    }
    return true
  }
}
