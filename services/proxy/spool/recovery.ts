import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newBatchId } from '#core/redis/queue-shards.ts'
import type { SpoolFolder } from './folders.ts'
import { completeEvent, encodeHeader, encodeRecord, mark, readSegment, textOf } from './records.ts'
import { parseSegmentFileName, segmentFileName } from './segment.ts'

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
 * recorded state (outcome `interrupted`). It can be interrupted and repeated at any point.
 */
export class Recovery {
  readonly folder: SpoolFolder
  /** How many requests the dead proxy had accepted; known after `prepare`. */
  accepted = 0
  #prepared = false

  constructor(folder: SpoolFolder) {
    this.folder = folder
  }

  /** Writes the interrupted requests to one more segment, which sorts last and appears atomically. */
  async prepare(): Promise<void> {
    if (this.#prepared) return
    const open = new Map<string, Buffer>()
    let lastSequence = 0
    for (const { file, sequence } of await this.#segments()) {
      const { begins, ends, accepted } = await readSegment(join(this.folder.path, file))
      for (const [id, line] of begins) open.set(id, line)
      for (const { id } of ends) open.delete(id)
      this.accepted = Math.max(this.accepted, accepted)
      lastSequence = sequence
    }
    if (open.size > 0) await this.#writeEnds(lastSequence + 1, open)
    this.#prepared = true
  }

  async publishAll(publish: Publish): Promise<void> {
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

  async #writeEnds(sequence: number, open: ReadonlyMap<string, Buffer>): Promise<void> {
    const path = join(this.folder.path, segmentFileName(sequence, newBatchId(0)))
    const records = open.entries().map(([id, line]) => encodeRecord(mark.end, id, completeEvent(line.toString())))
    await writeFile(`${path}.new`, Buffer.concat([encodeHeader(this.accepted), ...records]), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }
}
