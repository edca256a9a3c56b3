import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import { findMembers, type Member } from '../request/json/find-members.ts'
import { parseTokenUsage, type TokenUsage } from './token-usage.ts'

const [tab, newline, carriageReturn, space, comma, openingBrace] = [0x09, 0x0a, 0x0d, 0x20, 0x2c, 0x7b]

/** A longer frame is no chunk of a completion. It is passed on in pieces, without being read. */
const longestFrameBytes = 64 * kib

const nothing = Buffer.alloc(0)
const usageName = '"usage"'
const dataField = 'data:'

/**
 * Removes the usage that only the gateway requested from a stream. Other frames are passed on unchanged as soon as they
 * are complete. It takes linear time.
 */
export class StreamUsageFilter {
  usage: TokenUsage | undefined
  readonly #held = new GrowingBuffer()

  /** @returns what can be sent of the bytes so far; may be empty */
  push(chunk: Buffer): Buffer {
    // The blank line may begin in the held bytes.
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
    if (from > passedTo) passed.push(bytes.subarray(passedTo, from))
    if (from > 0 || !isHolding) this.#hold(bytes.subarray(from))
    if (this.#held.length > longestFrameBytes) {
      passed.push(this.#held.bytes())
      this.#hold(nothing)
    }
    const first = passed[0]
    return first && passed.length === 1 ? first : Buffer.concat(passed)
  }

  /** @returns an incomplete frame at the end of the stream */
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

/** @returns the position behind the blank line that ends a frame, or -1 */
function frameEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(newline, from); at !== -1; at = bytes.indexOf(newline, at + 1)) {
    const next = bytes[at + 1] === carriageReturn ? at + 2 : at + 1
    if (bytes[next] === newline) return next + 1
  }
  return -1
}

function dataOf(frame: Buffer): Buffer | undefined {
  if (frame.toString('latin1', 0, dataField.length) !== dataField) return undefined
  return frame.subarray(dataField.length, frame.indexOf(newline))
}

/** Removes a member of the frame's object, and a comma next to it. */
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

const isBlank = (byte: number | undefined) => byte === space || byte === tab || byte === carriageReturn
