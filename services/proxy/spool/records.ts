import { readFile } from 'node:fs/promises'
import { kib } from '#core/units.ts'

/**
 * What a line of a segment says, by its first character. After it come the request's id and the event as JSON;
 * `header` has a number instead: how many requests this proxy had accepted when the segment was opened.
 */
export const mark = { header: 'H', begin: 'B', carried: 'C', end: 'E', endOnly: 'N' } as const
export type RecordMark = Exclude<(typeof mark)[keyof typeof mark], 'H'>

const idLength = 36
const lineBreak = 10
const jsonAt = 1 + idLength

export const encodeHeader = (accepted: number): Buffer => Buffer.from(`${mark.header}${accepted}\n`)

/** Most records are encoded here, one after the other: what is only written needs no memory of its own. */
const room = Buffer.allocUnsafeSlow(64 * kib)
const utf8BytesPerUnit = 3

/**
 * @param json without line breaks, as `JSON.stringify` gives it
 * @returns the record for the moment: the next one may take its place
 */
export function toRecord(kind: RecordMark, id: string, json: string): Buffer {
  if (jsonAt + json.length * utf8BytesPerUnit >= room.length) return Buffer.from(`${kind}${id}${json}\n`)
  room.write(kind, 'latin1')
  room.write(id, 1, 'latin1')
  const end = jsonAt + room.write(json, jsonAt)
  room[end] = lineBreak
  return room.subarray(0, end + 1)
}

/** The event's JSON with its line break, as a view of the encoded record. */
export const jsonOf = (record: Buffer): Buffer => record.subarray(jsonAt)

export interface SegmentRecords {
  /** Requests by id, as they stood when they began. */
  begins: Map<string, Buffer>
  /** Ids and JSON lines of the ends, in the order in which they were written. */
  ends: { id: string; line: Buffer }[]
  /** Requests that this proxy had accepted up to the end of this segment. */
  accepted: number
}

/** Reads a segment back. A last line without its line break was torn by a crash: nobody was told that it is there. */
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
  if (kind === mark.begin || kind === mark.carried) records.begins.set(id, jsonOf(line))
  if (kind === mark.end || kind === mark.endOnly) records.ends.push({ id, line: jsonOf(line) })
}
