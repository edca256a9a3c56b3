import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import type { RequestShare } from '../request/request-share.ts'
import { ResponseExcerpt } from '../usage/response-excerpt.ts'
import { closeOpcode, type Frame, FrameError, longestHeader, parseHeader } from './frame-header.ts'

/** Memory that every session may use; anything beyond is taken from the account's share. */
const freeBytes = 64 * kib

const noMessages: readonly (Buffer | undefined)[] = []

interface MessageReaderOptions {
  /** Whether the frames come from a client. */
  isMasked: boolean
  maxBytes: number
  /** Whether longer messages are skipped. Otherwise, what determines the price is read of them. */
  skipsLonger?: boolean
  /** Whether what is read of them is that of an event within them, if there is one. */
  unwraps?: boolean
  share: Pick<RequestShare, 'takeBytes'>
}

/** Reads the messages of one side of a WebSocket in linear time, however they are fragmented. */
export class MessageReader {
  /** How much of the last chunk belongs to complete messages and control frames between them. */
  wholeUntil = 0
  /** Whether its side has closed the session, with a frame that says so. */
  hasClosed = false
  /** Where in the last chunk its messages end. */
  readonly ends: number[] = []
  readonly #options: MessageReaderOptions
  readonly #header = Buffer.alloc(longestHeader)
  readonly #payload = new GrowingBuffer()
  /** Of a message that is too long. */
  #excerpt: ResponseExcerpt | undefined
  #headerBytes = 0
  #frame: Frame | undefined
  #maskAt = 0
  #isInMessage = false
  #isTooLong = false
  #takenBytes = freeBytes

  constructor(options: MessageReaderOptions) {
    this.#options = options
  }

  /** Whether the next byte starts a new message. */
  get isBetweenMessages(): boolean {
    return !this.#isInMessage && this.#frame === undefined && this.#headerBytes === 0
  }

  /**
   * @returns the messages that end in this chunk; undefined for skipped ones
   * @throws FrameError for an invalid frame
   */
  push(chunk: Buffer): readonly (Buffer | undefined)[] {
    let messages: (Buffer | undefined)[] | undefined
    this.wholeUntil = 0
    this.ends.length = 0
    for (let at = 0; at < chunk.length;) {
      if (this.#frame) {
        const to = Math.min(chunk.length, at + this.#frame.left)
        if (!this.#frame.isControl) this.#append(chunk.subarray(at, to), this.#frame.mask)
        this.#frame.left -= to - at
        at = to
      } else {
        this.#readHeader(chunk.readUInt8(at))
        at += 1
      }
      if (this.#frame?.left !== 0) continue
      const { isControl, isLast, opcode } = this.#frame
      this.#frame = undefined
      this.hasClosed ||= opcode === closeOpcode
      if (!isControl && isLast) {
        messages ??= []
        messages.push(this.#takeMessage())
        this.ends.push(at)
      }
      if (!this.#isInMessage) this.wholeUntil = at
    }
    return messages ?? noMessages
  }

  #readHeader(byte: number): void {
    this.#header[this.#headerBytes++] = byte
    const frame = parseHeader(this.#header, this.#headerBytes, this.#options.isMasked)
    if (!frame) return
    this.#headerBytes = 0
    this.#maskAt = 0
    this.#frame = frame
    if (frame.isControl) return
    if ((frame.opcode === 0) !== this.#isInMessage) throw new FrameError('a message begins within another one')
    this.#isInMessage = true
  }

  #append(piece: Buffer, mask: Buffer | undefined): void {
    const length = this.#payload.length + piece.length
    this.#isTooLong ||= length > this.#options.maxBytes || !this.#reserve(length)
    if (this.#isTooLong && this.#options.skipsLonger) return this.#payload.clear()
    const plain = mask ? this.#unmask(piece, mask) : piece
    if (!this.#isTooLong) return this.#payload.append(plain)
    this.#excerpt ??= new ResponseExcerpt(this.#options.unwraps)
    this.#excerpt.push(this.#payload.bytes())
    this.#excerpt.push(plain)
    this.#payload.clear()
  }

  #unmask(piece: Buffer, mask: Buffer): Buffer {
    const plain = Buffer.from(piece)
    for (let at = 0; at < plain.length; at += 1) plain[at]! ^= mask[(this.#maskAt + at) & 3]!
    this.#maskAt += plain.length
    return plain
  }

  #reserve(length: number): boolean {
    if (length <= this.#takenBytes) return true
    if (this.#options.share.takeBytes(length - this.#takenBytes)) return false
    this.#takenBytes = length
    return true
  }

  #takeMessage(): Buffer | undefined {
    const message = this.#isTooLong ? this.#excerpt?.json() : this.#payload.bytes()
    this.#payload.clear()
    this.#excerpt = undefined
    this.#isTooLong = false
    this.#isInMessage = false
    return message
  }
}
