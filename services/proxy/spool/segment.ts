import { closeSync, openSync, writeSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'

export const segmentExtension = '.segment'

/** What a line of a segment says of a request: it began, or it ended. */
export const beginMark = 'B'
export const endMark = 'E'

/**
 * One append-only file. Its ends are one batch, and its id is the batch's id: what is in a segment never changes
 * once it is frozen, so a batch that is shipped again is the same to the byte.
 */
export class Segment {
  readonly id: string
  readonly path: string
  readonly openedAt: number
  /** Requests that began here and have neither ended nor moved on; the file stays as long as there are any. */
  readonly open = new Set<string>()
  bytes = 0
  /** Ends as they were written, kept in memory until the batch is shipped. `undefined`: read them from the file. */
  ends: string[] | undefined = []
  endCount = 0
  endBytes = 0
  shipped = false
  /** The disk refused: the ends here exist in memory only. */
  memoryOnly = false
  #file: number | undefined

  constructor(folder: string, now: number) {
    this.id = uuidv7()
    this.path = join(folder, this.id + segmentExtension)
    this.openedAt = now
    try {
      this.#file = openSync(this.path, 'wx', 0o600)
    } catch {
      this.memoryOnly = true
    }
  }

  /** One synchronous append: a record is with the kernel before the request goes on, so it survives `kill -9`. */
  append(record: string): void {
    if (this.#file === undefined) throw new Error('the segment has no file to write to')
    this.bytes += writeSync(this.#file, record)
  }

  freeze(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  async readEnds(): Promise<string[]> {
    return this.ends ?? (await readSegment(this.path)).ends
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true })
  }
}

export interface SegmentRecords {
  /** Requests by id, as they stood when they began. */
  begins: Map<string, string>
  /** Events, one JSON text each, in the order in which they were written. */
  ends: string[]
}

/** Reads a segment back. A last line without its line break was torn by a crash: it was never acknowledged. */
export async function readSegment(path: string): Promise<SegmentRecords> {
  const records: SegmentRecords = { begins: new Map(), ends: [] }
  const lines = (await readFile(path, 'utf8')).split('\n')
  for (const line of lines.slice(0, -1)) {
    const json = line.slice(1)
    if (line[0] === beginMark) records.begins.set(idOf(json), json)
    if (line[0] === endMark) records.ends.push(json)
  }
  return records
}

/** The id of a record without parsing the whole of it: the spool writes `{"version":1,"id":"…"` itself. */
export function idOf(json: string): string {
  return /"id":"([0-9a-f-]{36})"/.exec(json)?.[1] ?? ''
}
