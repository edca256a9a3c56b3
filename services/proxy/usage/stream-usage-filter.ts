import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import { findMembers, type Member } from '../request/json/find-members.ts'
import { parseTokenUsage, type TokenUsage } from './token-usage.ts'

const newline = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const comma = 0x2c
const openingBrace = 0x7b

/** A longer frame is no chunk of a completion; it is passed on in pieces, unread. */
const longestFrameBytes = 64 * kib

const nothing = Buffer.alloc(0)
const usageName = '"usage"'
const dataField = 'data:'

/**
 * Removes from a stream what is in it only because the gateway asked for usage. Frames are passed on as soon as they
 * are complete, otherwise byte for byte as they came. Each byte is looked at a fixed number of times.
 */
export class StreamUsageFilter {
  /** As the provider counted, once it has said so. */
  usage: TokenUsage | undefined
  /** A frame that has not ended. */
  readonly #held = new GrowingBuffer()

  /** @returns what the client gets of this chunk; may be empty */
  push(chunk: Buffer): Buffer {
    // A blank line may have begun in what is held.
    const searchFrom = Math.max(0, this.#held.length - 2)
    const isHolding = this.#held.length > 0
    if (isHolding) this.#held.append(chunk)
    const bytes = isHolding ? this.#held.bytes() : chunk
    const passed: Buffer[] = []
    let from = 0
    let passedTo = 0
    let usageAt: number | undefined
    for (let end = frameEnd(bytes, searchFrom); end !== -1; end = frameEnd(bytes, from)) {
      usageAt ??= bytes.indexOf(usageName)
      if (usageAt !== -1 && usageAt < end) {
        passed.push(bytes.subarray(passedTo, from), this.#filter(bytes.subarray(from, end)))
        passedTo = end
        usageAt = bytes.indexOf(usageName, end)
      }
      from = end
    }
    // Frames without usage, all at once.
    if (from > passedTo) passed.push(bytes.subarray(passedTo, from))
    if (from > 0 || !isHolding) this.#hold(bytes.subarray(from))
    if (this.#held.length > longestFrameBytes) {
      passed.push(this.#held.bytes())
      this.#hold(nothing)
    }
    return passed.length === 1 ? passed[0]! : Buffer.concat(passed)
  }

  /** What is left when the provider ends the stream in the middle of a frame. */
  flush(): Buffer | undefined {
    return this.#held.length === 0 ? undefined : this.#held.bytes()
  }

  #hold(bytes: Buffer): void {
    this.#held.clear()
    if (bytes.length > 0) this.#held.append(bytes)
  }

  #filter(frame: Buffer): Buffer {
    const data = dataOf(frame)
    if (!data) return frame
    const { usage, choices } = findMembers(data, ['usage', 'choices']) ?? {}
    if (!usage) return frame
    const usageText = data.toString('utf8', usage.from, usage.to)
    if (usageText === 'null') return withoutMember(frame, data.byteOffset - frame.byteOffset, usage)
    if (data[usage.from] !== openingBrace) return frame
    this.usage = parseTokenUsage(usageText) ?? this.usage
    const hasNoChoices = choices !== undefined && /^\[\s*\]$/.test(data.toString('latin1', choices.from, choices.to))
    return hasNoChoices ? nothing : frame
  }
}

/** Position behind the blank line that ends a frame, with either kind of line break. */
function frameEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(newline, from); at !== -1; at = bytes.indexOf(newline, at + 1)) {
    const next = bytes[at + 1] === carriageReturn ? at + 2 : at + 1
    if (bytes[next] === newline) return next + 1
  }
  return -1
}

/** The payload of a frame that is one `data` line, as those of completions are. */
function dataOf(frame: Buffer): Buffer | undefined {
  if (frame.toString('latin1', 0, dataField.length) !== dataField) return undefined
  const lineEnd = frame.indexOf(newline)
  return frame.subarray(dataField.length, lineEnd)
}

/** The frame without one member of its object, and without the comma that goes with it. */
function withoutMember(frame: Buffer, dataAt: number, { nameAt, to }: Member): Buffer {
  let from = dataAt + nameAt
  let end = dataAt + to
  let before = from - 1
  while (isBlank(frame[before])) before -= 1
  if (frame[before] === comma) from = before
  else {
    while (isBlank(frame[end])) end += 1
    if (frame[end] === comma) end += 1
  }
  return Buffer.concat([frame.subarray(0, from), frame.subarray(end)])
}

const isBlank = (byte: number | undefined) => byte === space || byte === 0x09 || byte === carriageReturn
