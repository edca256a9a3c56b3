import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newBatchId } from '#core/queue-shards.ts'
import { readSegment } from './records.ts'

const segmentExtension = '.segment'

/** `<sequence>.<batch id>.segment`: sorted by name they are in the order of writing, whatever the clock did. */
export const segmentFileName = (sequence: number, batchId: string): string =>
  `${String(sequence).padStart(10, '0')}.${batchId}${segmentExtension}`

export function parseSegmentFileName(file: string): { sequence: number; batchId: string } | undefined {
  const [sequence, batchId, extension] = file.split('.')
  if (`.${extension}` !== segmentExtension || !batchId) return undefined
  return { sequence: Number(sequence), batchId }
}

/**
 * One append-only file. Its ends are one batch, and its id is the batch's id: what is in a segment never changes
 * once it is frozen, so a batch that is shipped again is the same to the byte.
 */
export class Segment {
  /** Of the queue. */
  readonly shard: number
  readonly batchId: string
  readonly openedAt: number
  readonly path: string
  /** Requests that began here and have neither ended nor moved on; the file stays as long as there are any. */
  readonly open = new Set<string>()
  bytes = 0
  /** JSON lines of the ends, kept in memory until the batch is shipped. `undefined`: read them from the file. */
  ends: Buffer[] | undefined = []
  endCount = 0
  endBytes = 0
  /** When the first of its requests ended, ms since 1970. */
  firstEndAt: number | undefined
  shipped = false
  /** The disk refused: the last end here exists in memory only. */
  memoryOnly = false
  #file: number | undefined

  constructor(folder: string, { sequence, shard, now }: { sequence: number; shard: number; now: number }) {
    this.shard = shard
    this.batchId = newBatchId(shard)
    this.path = join(folder, segmentFileName(sequence, this.batchId))
    this.openedAt = now
    try {
      this.#file = openSync(this.path, 'wx', 0o600)
    } catch {
      this.memoryOnly = true
    }
  }

  /**
   * One synchronous append: a record is with the kernel before the request goes on, so it survives `kill -9`.
   * A record that did not fit is taken back, so that the next one does not follow half a line.
   */
  append(record: Buffer): void {
    if (this.#file === undefined) throw new Error('the segment has no file to write to')
    try {
      for (let written = 0; written < record.length;) written += writeSync(this.#file, record, written)
      this.bytes += record.length
    } catch (error) {
      ftruncateSync(this.#file, this.bytes)
      throw error
    }
  }

  keepEnd(line: Buffer, now: number): void {
    this.firstEndAt ??= now
    this.ends?.push(line)
    this.endCount += 1
    this.endBytes += line.length
  }

  freeze(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  async readEnds(): Promise<Buffer[]> {
    return this.ends ?? (await readSegment(this.path)).ends.map(({ line }) => line)
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true })
  }
}
