import { readFile } from 'node:fs/promises'
import { kib } from '#core/units.ts'
import { parseJson } from '#schemas/parse-json.ts'
import { type RequestEvent, pendingEvent } from '#schemas/request-event.ts'

/**
 * The first character of a segment's line. The request's id and the event as JSON follow; a `header` has a number
 * instead: how many requests this proxy had accepted when it opened the segment.
 */
export const mark = { header: 'H', begin: 'B', rolledForward: 'C', end: 'E', endOnly: 'N' } as const
export type RecordMark = Exclude<(typeof mark)[keyof typeof mark], 'H'>

const idLength = 36
const lineBreak = 10
const jsonAt = 1 + idLength

export const encodeHeader = (accepted: number): Buffer => Buffer.from(`${mark.header}${accepted}\n`)

/** What is known of a request that begins. */
type Beginning = Omit<
  RequestEvent,
  Exclude<keyof typeof pendingEvent, 'cacheStatus'> | 'attemptLog' | 'responses' | 'responseHeaders'
>

/** The JSON of a `begin`, without unknown fields: it is written for every request, and rarely read. */
export const encodeBeginning = (event: RequestEvent): string =>
  JSON.stringify({
    version: event.version,
    id: event.id,
    accountId: event.accountId,
    tokenId: event.tokenId,
    apiKeyId: event.apiKeyId,
    method: event.method,
    endpoint: event.endpoint,
    query: event.query,
    tags: event.tags,
    model: event.model,
    cacheStatus: event.cacheStatus,
    streamed: event.streamed,
    requestBytes: event.requestBytes,
    clientAddress: event.clientAddress,
    userAgent: event.userAgent,
    requestHeaders: event.requestHeaders,
    requestBody: event.requestBody,
  } satisfies Beginning)

/**
 * The complete event of a request without an end.
 * @param json from its last record; if the disk has damaged it, it stays as it is, and becomes a dead letter
 */
export function completeEvent(json: string): string {
  const event = parseJson(json)
  if (typeof event !== 'object') return json.trimEnd()
  return JSON.stringify({ ...pendingEvent, attemptLog: [], responseHeaders: {}, ...event })
}

/** @param json without line breaks, as produced by `JSON.stringify` */
const encodeRecord = (kind: RecordMark, id: string, json: string): Buffer => Buffer.from(`${kind}${id}${json}\n`)

const capacity = 256 * kib
const maxBytesPerCodeUnit = 3

/** Records to be written, in one reusable buffer. */
export class RecordBuffer {
  readonly #buffer = Buffer.allocUnsafeSlow(capacity)
  #used = 0
  #lastAt = 0
  /** A record that exceeds the capacity. */
  #large: Buffer | undefined

  get isEmpty(): boolean {
    return this.#used === 0 && this.#large === undefined
  }

  /**
   * @param json as for `encodeRecord`
   * @returns false if there is no room for it before the next `take`
   */
  add(kind: RecordMark, id: string, json: string): boolean {
    const maxBytes = jsonAt + json.length * maxBytesPerCodeUnit + 1
    if (this.#large || maxBytes > capacity - this.#used) {
      if (!this.isEmpty) return false
      this.#large = encodeRecord(kind, id, json)
      return true
    }
    this.#lastAt = this.#used
    this.#buffer.write(kind, this.#lastAt, 'latin1')
    this.#buffer.write(id, this.#lastAt + 1, 'latin1')
    const end = this.#lastAt + jsonAt + this.#buffer.write(json, this.#lastAt + jsonAt)
    this.#buffer[end] = lineBreak
    this.#used = end + 1
    return true
  }

  /** The JSON of the last record, with its line break: a view, valid until the next `add`. */
  lastJson(): Buffer {
    return this.#large ? jsonOf(this.#large) : this.#buffer.subarray(this.#lastAt + jsonAt, this.#used)
  }

  /** @returns all records: a view, valid until the next `add` */
  take(): Buffer {
    const all = this.#large ?? this.#buffer.subarray(0, this.#used)
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

interface SegmentRecords {
  /** The last recorded state of requests, by id. */
  begins: Map<string, Buffer>
  /** In write order. */
  ends: End[]
  /** How many requests this proxy had accepted by the end of this segment. */
  accepted: number
}

/** The text of a batch. */
export const textOf = (ends: readonly End[]): Buffer => Buffer.concat(ends.map(({ line }) => line))

/** Reads a segment. A last line without a line break was cut off by a crash before it was confirmed, and is ignored. */
export async function readSegment(path: string): Promise<SegmentRecords> {
  const bytes = await readFile(path)
  const records: SegmentRecords = { begins: new Map(), ends: [], accepted: 0 }
  let start = 0
  for (let stop = bytes.indexOf(lineBreak); stop !== -1; stop = bytes.indexOf(lineBreak, start)) {
    addLine(records, bytes.subarray(start, stop + 1))
    start = stop + 1
  }
  return records
}

function addLine(records: SegmentRecords, line: Buffer): void {
  const kind = line.toString('latin1', 0, 1)
  if (kind === mark.header) {
    records.accepted = Number(line.toString('latin1', 1).trim()) || 0
    return
  }
  if (kind === mark.begin || kind === mark.endOnly) records.accepted += 1
  const id = line.toString('latin1', 1, jsonAt)
  if (kind === mark.begin || kind === mark.rolledForward) records.begins.set(id, jsonOf(line))
  if (kind === mark.end || kind === mark.endOnly) records.ends.push({ id, line: jsonOf(line) })
}
