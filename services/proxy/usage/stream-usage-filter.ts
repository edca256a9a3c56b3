import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import { findMembers, type Member } from '../request/json/find-members.ts'
import { carriageReturn, lineEnd, newline, nextLine } from './lines.ts'
import { findTokenUsage, usageOfResponse } from './response-usage.ts'
import type { TokenUsage } from './token-usage.ts'

const [tab, space, comma, colon, openingBrace, recordSeparator] = [0x09, 0x20, 0x2c, 0x3a, 0x7b, 0x1e]
const firstOfNull = 0x6e

/** A longer frame is not a completion chunk. It is relayed in pieces, unread. */
const longestFrameBytes = 64 * kib

/** Two line ends, of two bytes each. */
const longestEventEnd = 4

const nothing = Buffer.alloc(0)
const usageName = '"usage"'
const dataField = Buffer.from('data:')

/**
 * Removes from a stream the usage that only the gateway requested. Other bytes are relayed unchanged once their frame
 * is complete: an event, or a line if `framing` says so. Takes linear time.
 */
export class StreamUsageFilter {
  usage: TokenUsage | undefined
  readonly #framesAreLines: boolean
  readonly #buffer = new GrowingBuffer()
  /** Whether the last frame ended with a CR, which an LF may still follow, and whether it was removed. */
  #isAfterReturn = false
  #wasRemoved = false
  #hasReturns = false

  constructor(framing: 'events' | 'lines') {
    this.#framesAreLines = framing === 'lines'
  }

  /** @returns the bytes that can be sent now; may be empty */
  push(chunk: Buffer): Buffer {
    if (chunk.length === 0) return nothing
    this.#hasReturns ||= chunk.includes(carriageReturn)
    const passed: Buffer[] = []
    const rest = this.#isAfterReturn ? this.#completeReturn(chunk, passed) : chunk
    // The blank line may begin in the buffered bytes.
    const searchFrom = Math.max(0, this.#buffer.length - 2)
    const isBuffering = this.#buffer.length > 0
    if (isBuffering) this.#buffer.append(rest)
    const bytes = isBuffering ? this.#buffer.bytes() : rest
    let from = 0
    let passedTo = 0
    let usageAt: number | undefined
    for (let end = this.#frameEnd(bytes, 0, searchFrom); end !== -1; end = this.#frameEnd(bytes, from, from)) {
      usageAt ??= bytes.indexOf(usageName)
      this.#wasRemoved = false
      if (usageAt !== -1 && usageAt < end) {
        passed.push(bytes.subarray(passedTo, from), this.#filter(bytes.subarray(from, end)))
        passedTo = end
        usageAt = bytes.indexOf(usageName, end)
      }
      from = end
      this.#isAfterReturn = end === bytes.length && bytes[end - 1] === carriageReturn
    }
    if (from > passedTo) passed.push(bytes.subarray(passedTo, from))
    if (from > 0 || !isBuffering) this.#keep(bytes.subarray(from))
    if (this.#buffer.length > longestFrameBytes) {
      passed.push(this.#buffer.bytes())
      this.#keep(nothing)
    }
    const first = passed[0]
    return first && passed.length === 1 ? first : Buffer.concat(passed)
  }

  /** @returns the rest of an incomplete frame at the end of the stream */
  flush(): Buffer | undefined {
    if (this.#buffer.length === 0) return undefined
    const frame = this.#buffer.bytes()
    this.#keep(nothing)
    return frame.includes(usageName) ? this.#filter(frame) : frame
  }

  /** An LF after the CR of the last frame belongs to that frame. */
  #completeReturn(chunk: Buffer, passed: Buffer[]): Buffer {
    this.#isAfterReturn = false
    if (chunk[0] !== newline) return chunk
    if (!this.#wasRemoved) passed.push(chunk.subarray(0, 1))
    return chunk.subarray(1)
  }

  #keep(bytes: Buffer): void {
    this.#buffer.clear()
    if (bytes.length > 0) this.#buffer.append(bytes)
  }

  /** @param searchFrom no earlier line ends the frame @returns the position after the frame, or -1 */
  #frameEnd(bytes: Buffer, from: number, searchFrom: number): number {
    if (this.#framesAreLines && isBlank(bytes[from])) return blanksEnd(bytes, from)
    for (let at = this.#lineEnd(bytes, searchFrom); at < bytes.length; at = this.#lineEnd(bytes, at)) {
      const next = nextLine(bytes, at)
      // Comments and blank lines are passed on without waiting for an event.
      if (this.#framesAreLines || at === from || bytes[from] === colon) return next
      if (bytes[next] === newline || bytes[next] === carriageReturn) return nextLine(bytes, next)
      at = next
    }
    return -1
  }

  #lineEnd(bytes: Buffer, from: number): number {
    return lineEnd(bytes, from, this.#hasReturns)
  }

  #filter(frame: Buffer): Buffer {
    const data = this.#framesAreLines ? recordOf(frame) : dataOf(frame, this.#hasReturns)
    const { usage, choices } = findMembers(data, ['usage', 'choices']) ?? {}
    if (usage && data[usage.from] === firstOfNull) return withoutMember(frame, data, usage)
    // Groq has it in `x_groq`, and Kimi in a choice.
    this.usage = usageOfResponse(data) ?? findTokenUsage(data.toString('latin1')) ?? this.usage
    if (!usage || data[usage.from] !== openingBrace) return frame
    this.#wasRemoved = choices !== undefined && /^\[\s*\]$/.test(data.toString('latin1', choices.from, choices.to))
    return this.#wasRemoved ? nothing : frame
  }
}

/** The data of an event up to its end, with blanks in place of other fields, so that positions are unchanged. */
function dataOf(event: Buffer, hasReturns: boolean): Buffer {
  const isOneLine = startsWithData(event, 0) && event.length - lineEnd(event, 0, hasReturns) <= longestEventEnd
  if (isOneLine) return event.subarray(dataField.length)
  const data = Buffer.from(event)
  for (let from = 0; from < event.length;) {
    const end = lineEnd(event, from, hasReturns)
    if (end > from) data.fill(space, from, startsWithData(event, from) ? from + dataField.length : end)
    from = end + 1
  }
  return data
}

function startsWithData(event: Buffer, from: number): boolean {
  for (let at = 0; at < dataField.length; at += 1) if (event[from + at] !== dataField[at]) return false
  return true
}

/** RFC 7464 lines begin with a separator. */
function recordOf(line: Buffer): Buffer {
  if (line[0] !== recordSeparator) return line
  const record = Buffer.from(line)
  record[0] = space
  return record
}

/** @param data the end of the frame; the member's positions refer to it */
function withoutMember(frame: Buffer, data: Buffer, { nameAt, to }: Member): Buffer {
  let [from, end] = [nameAt, to]
  let before = from - 1
  while (isBlank(data[before])) before -= 1
  if (data[before] === comma) from = before
  else {
    while (isBlank(data[end])) end += 1
    if (data[end] === comma) end += 1
  }
  const dataAt = frame.length - data.length
  return Buffer.concat([frame.subarray(0, dataAt + from), frame.subarray(dataAt + end)])
}

/** Skips blanks before a document, which keep a connection open. */
function blanksEnd(bytes: Buffer, from: number): number {
  let at = from
  while (isBlank(bytes[at])) at += 1
  return at
}

const isBlank = (byte: number | undefined) =>
  byte === space || byte === tab || byte === newline || byte === carriageReturn
