import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { derivedBatchId } from '#core/redis/queue-shards.ts'
import type { SpoolFolder } from './folders.ts'
import { completeEvent, readSegment, textOf } from './records.ts'
import { parseSegmentFileName } from './segment.ts'
import { maxEndBytes, maxEnds } from './spool.ts'

/** The ends of a frozen segment. */
export interface Batch {
  id: string
  count: number
  /** Their JSON lines, each with its line break, in one piece or several. */
  text: readonly Buffer[]
}

/** Adds a batch to the queue; resolves once the queue has it on disk. */
export type Publish = (batch: Batch) => Promise<void>

/**
 * Ships the spool of a dead proxy: its batches under their original ids, and every request without an end in its last
 * recorded state (outcome `interrupted`). It can be interrupted and repeated at any point, and needs no disk space.
 */
export class Recovery {
  readonly folder: SpoolFolder
  /** How many requests the dead proxy had accepted; known after `prepare`. */
  accepted = 0
  /** The last records of requests without an end that are not shipped yet; known after `prepare`. */
  #open: ReadonlyMap<string, Buffer> | undefined
  #lastBatchId = ''

  constructor(folder: SpoolFolder) {
    this.folder = folder
  }

  async prepare(): Promise<void> {
    if (this.#open) return
    const open = new Map<string, Buffer>()
    for (const { file, batchId } of await this.#segments()) {
      const { begins, ends, accepted } = await readSegment(join(this.folder.path, file))
      for (const [id, line] of begins) open.set(id, line)
      for (const { id } of ends) open.delete(id)
      this.accepted = Math.max(this.accepted, accepted)
      this.#lastBatchId = batchId
    }
    this.#open = open
  }

  async publishAll(publish: Publish): Promise<void> {
    // First, because another recovery finds the same requests only as long as no segment is removed.
    for (const batch of this.#interrupted()) await publish(batch)
    this.#open = new Map()
    for (const { file, batchId } of await this.#segments()) {
      const path = join(this.folder.path, file)
      const { ends } = await readSegment(path)
      if (ends.length > 0) await publish({ id: batchId, count: ends.length, text: [textOf(ends)] })
      await rm(path)
    }
  }

  async finish(): Promise<void> {
    await rm(this.folder.path, { recursive: true, force: true })
  }

  async bytes(): Promise<number> {
    let bytes = 0
    for (const { file } of await this.#segments()) bytes += (await stat(join(this.folder.path, file))).size
    return bytes
  }

  async #segments() {
    const files = (await readdir(this.folder.path)).toSorted()
    return files.flatMap((file) => {
      const parsed = parseSegmentFileName(file)
      return parsed ? [{ file, ...parsed }] : []
    })
  }

  /** Batches of the usual size, whose ids do not change when recovery is repeated. */
  *#interrupted(): Generator<Batch> {
    let [index, bytes] = [0, 0]
    let lines: Buffer[] = []
    const toBatch = (): Batch => ({
      id: derivedBatchId(this.#lastBatchId, index),
      count: lines.length,
      text: [Buffer.concat(lines)],
    })
    for (const json of this.#open?.values() ?? []) {
      const line = Buffer.from(`${completeEvent(json.toString())}\n`)
      lines.push(line)
      bytes += line.length
      if (lines.length === maxEnds || bytes >= maxEndBytes) {
        yield toBatch()
        index += 1
        bytes = 0
        lines = []
      }
    }
    if (lines.length > 0) yield toBatch()
  }
}
