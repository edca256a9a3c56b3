import { kib } from '#core/units.ts'
import { asterisk, SecretMatcher } from '../response/secret-matcher.ts'
import { type Frame, FrameError, longestHeader, parseHeader } from './frame-header.ts'

/** Limit for headers and control frames between two parts of a possible key; exceeding it is an attack. */
const maxBetween = 64 * kib

/**
 * Masks a provider's key in WebSocket messages, even if it is split across frames. A possible start of a key is
 * buffered, with the headers in between, until it is resolved or the message ends. Frames can be one byte long, so only
 * numbers are stored per frame.
 */
export class FrameMask {
  readonly #matcher: SecretMatcher
  readonly #header = Buffer.alloc(longestHeader)
  #headerBytes = 0
  #frame: Frame | undefined
  #buffered: Buffer = Buffer.alloc(0)
  /** Positions of the parts of a possible beginning of a key: from, to, from, to … */
  #parts: number[] = []
  /** Where the payload of an incomplete control frame begins. */
  #controlFrom = 0
  #matched = 0

  private constructor(matcher: SecretMatcher) {
    this.#matcher = matcher
  }

  /** @returns undefined for a secret too short to be a key */
  static of(secret: string): FrameMask | undefined {
    const matcher = SecretMatcher.of(secret)
    return matcher && new FrameMask(matcher)
  }

  /**
   * @returns the buffered and new bytes that can be passed on; may be empty
   * @throws FrameError for an invalid frame
   */
  push(chunk: Buffer): Buffer {
    // Copied, because the connection owns the chunk's buffer.
    const bytes = Buffer.concat([this.#buffered, chunk])
    for (let at = this.#buffered.length; at < bytes.length;) {
      if (!this.#frame) {
        this.#readHeader(bytes.readUInt8(at))
        at += 1
        this.#controlFrom = at
      } else {
        const to = Math.min(bytes.length, at + this.#frame.left)
        this.#frame.left -= to - at
        if (!this.#frame.isControl) this.#readPart(bytes, at, to)
        at = to
      }
      if (this.#frame?.left === 0) this.#end(this.#frame, bytes.subarray(this.#controlFrom, at))
    }
    const from = this.#hold(bytes)
    if (this.#buffered.length - this.#matched > maxBetween)
      throw new FrameError('too much stands between two parts of a message')
    return bytes.subarray(0, from)
  }

  #readHeader(byte: number): void {
    this.#header[this.#headerBytes++] = byte
    this.#frame = parseHeader(this.#header, this.#headerBytes, false)
    if (this.#frame) this.#headerBytes = 0
  }

  #readPart(bytes: Buffer, from: number, to: number): void {
    const { ends, matched } = this.#matcher.match(bytes.subarray(from, to), this.#matched)
    this.#parts.push(from, to)
    for (const end of ends) this.#mask(bytes, from + end)
    this.#matched = matched
    if (matched === 0) this.#parts = []
  }

  #end({ isControl, isLast }: Frame, control: Buffer): void {
    this.#frame = undefined
    if (isControl) {
      for (const end of this.#matcher.match(control, 0).ends) control.fill(asterisk, end - this.#matcher.length, end)
    } else if (isLast) {
      this.#matched = 0
      this.#parts = []
    }
  }

  /** Masks all parts of the key that ends at `keyEnd`. */
  #mask(bytes: Buffer, keyEnd: number): void {
    let left = this.#matcher.length
    for (let index = this.#parts.length - 2; left > 0; index -= 2) {
      const [partFrom = 0, partTo = 0] = this.#parts.slice(index, index + 2)
      const to = Math.min(partTo, keyEnd)
      const from = Math.max(partFrom, to - left)
      bytes.fill(asterisk, from, to)
      left -= to - from
    }
  }

  /** Holds back a possible start of a key. @returns its position */
  #hold(bytes: Buffer): number {
    let [from, index] = [bytes.length, this.#parts.length]
    for (let left = this.#matched; left > 0;) {
      index -= 2
      const [partFrom = 0, partTo = 0] = this.#parts.slice(index, index + 2)
      from = Math.max(partFrom, partTo - left)
      left -= partTo - from
    }
    if (this.#frame?.isControl) from = Math.min(from, this.#controlFrom)
    this.#parts = this.#parts.slice(index).map((position) => Math.max(0, position - from))
    this.#controlFrom -= from
    this.#buffered = bytes.subarray(from)
    return from
  }
}
