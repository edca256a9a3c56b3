import { readFile } from 'node:fs/promises'
import { kib } from '#core/units.ts'
import { type RequestEvent, unansweredEvent } from '#schemas/request-event.ts'

/**
 * What a line of a segment says, by its first character. After it come the request's id and the event as JSON, of a
 * `begin` only what is known by then; `header` has a number instead: how many requests this proxy had accepted when the
 * segment was opened.
 */
export const mark = { header: 'H', begin: 'B', rolledForward: 'C', end: 'E', endOnly: 'N' } as const
export type RecordMark = Exclude<(typeof mark)[keyof typeof mark], 'H'>

const idLength = 36
const lineBreak = 10
const jsonAt = 1 + idLength

export const encodeHeader = (accepted: number): Buffer => Buffer.from(`${mark.header}${accepted}\n`)

/** The JSON of a `begin`, without what is not known yet: it is written for every request, and hardly ever read. */
export const encodeBeginning = (event: RequestEvent): string =>
  JSON.stringify({
    version: event.version,
    id: event.id,
    accountId: event.accountId,
    tokenId: event.tokenId,
    apiKeyId: event.apiKeyId,
    method: event.method,
    endpoint: event.endpoint,
    model: event.model,
    cacheStatus: event.cacheStatus,
    streamed: event.streamed,
    requestBytes: event.requestBytes,
    clientAddress: event.clientAddress,
    userAgent: event.userAgent,
    requestHeaders: event.requestHeaders,
    requestBody: event.requestBody,
  })

/** The whole event of a request that has no end. @param json of its last note */
export const completeEvent = (json: string): string =>
  JSON.stringify({ ...unansweredEvent, attemptLog: [], responseHeaders: {}, ...JSON.parse(json) })

/** @param json without line breaks, as `JSON.stringify` gives it */
export const encodeRecord = (kind: RecordMark, id: string, json: string): Buffer => Buffer.from(`${kind}${id}${json}\n`)

const roomBytes = 256 * kib
const mostBytesOfUnit = 3

/** Records that are to be written, one after the other in memory that is used again and again. */
export class RecordBuffer {
  readonly #room = Buffer.allocUnsafeSlow(roomBytes)
  #used = 0
  #lastAt = 0
  /** One that is larger than the room. */
  #large: Buffer | undefined

  get isEmpty(): boolean {
    return this.#used === 0 && this.#large === undefined
  }

  /**
   * @param json as `encodeRecord` takes it
   * @returns false when there is no room for it until all is taken
   */
  add(kind: RecordMark, id: string, json: string): boolean {
    const mostBytes = jsonAt + json.length * mostBytesOfUnit + 1
    if (this.#large || mostBytes > roomBytes - this.#used) {
      if (!this.isEmpty) return false
      this.#large = encodeRecord(kind, id, json)
      return true
    }
    this.#lastAt = this.#used
    this.#room.write(kind, this.#lastAt, 'latin1')
    this.#room.write(id, this.#lastAt + 1, 'latin1')
    const end = this.#lastAt + jsonAt + this.#room.write(json, this.#lastAt + jsonAt)
    this.#room[end] = lineBreak
    this.#used = end + 1
    return true
  }

  /** The JSON of the record that was added last, with its line break: a view, to be read before the next one comes. */
  lastJson(): Buffer {
    return this.#large ? jsonOf(this.#large) : this.#room.subarray(this.#lastAt + jsonAt, this.#used)
  }

  /** @returns all of them, until the next one is added */
  take(): Buffer {
    const all = this.#large ?? this.#room.subarray(0, this.#used)
    this.#large = undefined
    this.#used = 0
    return all
  }
}

/** The event's JSON with its line break, as a view of the encoded record. */
const jsonOf = (record: Buffer): Buffer => record.subarray(jsonAt)

interface End {
  id: string
  /** JSON with its line break. */
  line: Buffer
}

export interface SegmentRecords {
  /** Requests by id, as they stood when they were noted. */
  begins: Map<string, Buffer>
  /** In the order in which they were written. */
  ends: End[]
  /** Requests that this proxy had accepted up to the end of this segment. */
  accepted: number
}

/** The text of a batch. */
export const textOf = (ends: readonly End[]): Buffer => Buffer.concat(ends.map(({ line }) => line))

/** Reads a segment back. A last line without its line break was torn by a crash before anything relied on it. */
export async function readSegment(path: string): Promise<SegmentRecords> {
  return parseSegment(await readFile(path))
}

function parseSegment(bytes: Buffer): SegmentRecords {
  const records: SegmentRecords = { begins: new Map(), ends: [], accepted: 0 }
  let start = 0
  for (let stop = bytes.indexOf(lineBreak); stop !== -1; stop = bytes.indexOf(lineBreak, start)) {
    addLine(records, bytes.subarray(start, stop + 1))
    start = stop + 1
  }
  return records
}

function addLine(records: SegmentRecords, line: Buffer): void {
  const kind = String.fromCharCode(line[0]!)
  if (kind === mark.header) {
    records.accepted = Number(line.toString('latin1', 1).trim()) || 0
    return
  }
  if (kind === mark.begin || kind === mark.endOnly) records.accepted += 1
  const id = line.toString('latin1', 1, jsonAt)
  if (kind === mark.begin || kind === mark.rolledForward) records.begins.set(id, jsonOf(line))
  if (kind === mark.end || kind === mark.endOnly) records.ends.push({ id, line: jsonOf(line) })
}
