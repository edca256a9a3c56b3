import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestEvent } from '#schemas/request-event.ts'
import { newBatchId } from '#core/redis/queue-shards.ts'
import { BatchText } from './batch-text.ts'
import { readSegment, textOf } from './records.ts'

const segmentExtension = '.segment'

/** `<sequence>.<batch id>.segment`: sorting by name gives the write order, independent of the clock. */
const segmentFileName = (sequence: number, batchId: string): string =>
  `${String(sequence).padStart(10, '0')}.${batchId}${segmentExtension}`

export function parseSegmentFileName(file: string): { sequence: number; batchId: string } | undefined {
  const [sequence, batchId, extension] = file.split('.')
  if (`.${extension}` !== segmentExtension || !batchId) return undefined
  return { sequence: Number(sequence), batchId }
}

/** A request in progress. */
export interface OpenRequest {
  /** Updated during the request, so later records contain more. */
  readonly event: RequestEvent
  /** The segment with its newest record, and its index among the open requests there. */
  segment: Segment
  place: number
  /** Whether its beginning has been written to the file. */
  isNoted: boolean
  /** Why that write failed. */
  writeError?: unknown
}

/**
 * One append-only file. Its ends form one batch with the segment's id. A frozen segment never changes, so a batch that
 * is shipped again is identical.
 */
export class Segment {
  /** The queue shard that gets the batch. */
  readonly shard: number
  readonly batchId: string
  readonly path: string
  /**
   * Requests in progress whose newest record is here; the file is kept while there are any. An array, because a busy
   * Map or Set leaves garbage behind whenever it grows.
   */
  readonly open: OpenRequest[] = []
  bytes = 0
  /** JSON lines of the ends, until the batch is shipped; `undefined`: only in the file. */
  text: BatchText | undefined = new BatchText()
  endCount = 0
  endBytes = 0
  /** When the first of its requests ended, epoch ms. */
  firstEndAt: number | undefined
  /** How many requests this proxy had accepted when the segment was frozen. */
  accepted = 0
  shipped = false
  /** The last attempt to read its file failed, such as because it was removed. */
  isUnreadable = false
  /** A write failed, so some ends exist only in memory. */
  memoryOnly = false
  /** Those that may have ends of its requests only in memory; known once none of its requests is in progress. */
  endsInMemory: readonly Segment[] | undefined
  readonly #openedAt: number
  #file: number | undefined

  constructor(folder: string, { sequence, shard, now }: { sequence: number; shard: number; now: number }) {
    this.shard = shard
    this.batchId = newBatchId(shard)
    this.path = join(folder, segmentFileName(sequence, this.batchId))
    this.#openedAt = now
    try {
      this.#file = openSync(this.path, 'wx', 0o600)
    } catch {
      this.memoryOnly = true
    }
  }

  /**
   * One synchronous append: once it returns, the kernel has the records, so they survive `kill -9`. A partial write is
   * truncated, so that the next record does not follow half a line.
   */
  append(records: Buffer): void {
    if (this.#file === undefined) throw new Error('the segment has no file to write to')
    try {
      for (let written = 0; written < records.length;) written += writeSync(this.#file, records, written)
      this.bytes += records.length
    } catch (error) {
      ftruncateSync(this.#file, this.bytes)
      throw error
    }
  }

  /** @returns ms; large if the clock was set back */
  ageAt(now: number): number {
    return Math.abs(now - this.#openedAt)
  }

  enter(request: OpenRequest): void {
    request.segment = this
    request.place = this.open.push(request) - 1
  }

  takeOver(request: OpenRequest): void {
    request.segment.leave(request)
    this.enter(request)
  }

  leave({ place }: OpenRequest): void {
    const last = this.open.pop()
    if (!last || place === this.open.length) return
    this.open[place] = last
    last.place = place
  }

  keepEnd(line: Buffer, now: number): void {
    this.firstEndAt ??= now
    this.text?.append(line)
    this.endCount += 1
    this.endBytes += line.length
  }

  freeze(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** JSON lines of the ends, in one piece or several. */
  async readText(): Promise<readonly Buffer[]> {
    if (this.text) return this.text.pieces()
    this.isUnreadable = true
    const { ends } = await readSegment(this.path)
    this.isUnreadable = false
    return [textOf(ends)]
  }

  dropText(): void {
    this.text?.release()
    this.text = undefined
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true })
  }
}
