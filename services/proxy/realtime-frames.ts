import { kib } from '#core/units.ts'
import { asterisk, SecretMatcher } from './answers/secret-matcher.ts'

/** Headers and control frames between two parts of what may be a key; more of them is an attack. */
const mostBetween = 64 * kib

const longestControl = 125
const known = new Set([0x0, 0x1, 0x2, 0x8, 0x9, 0xa])

interface Frame {
  isControl: boolean
  isLast: boolean
  /** Bytes of it that are still to come. */
  left: number
}

interface Piece {
  bytes: Buffer
  /** Of a message; else it stands between two parts of one. */
  isPayload: boolean
}

/** What a server must not send, or what could hide a key. */
class FrameError extends Error {
  override readonly name = 'FrameError'
}

/**
 * Blots a provider's key out of the messages of a WebSocket, also where it is cut across the frames of one. Whatever may
 * become a key is held back, with the headers in between, until that is known; the end of a message never is.
 */
export class FrameMask {
  readonly #matcher: SecretMatcher
  #header: number[] = []
  #frame: Frame | undefined
  #control: Buffer[] = []
  #held: Piece[] = []
  #heldPayload = 0
  #heldBetween = 0
  #matched = 0
  #shown: Buffer[] = []

  private constructor(matcher: SecretMatcher) {
    this.#matcher = matcher
  }

  /** @returns undefined for a key that is none */
  static of(secret: string): FrameMask | undefined {
    const matcher = SecretMatcher.of(secret)
    return matcher && new FrameMask(matcher)
  }

  /**
   * @returns what may go on of this chunk and those before; may be empty
   * @throws FrameError when it is no frame of a server without extensions
   */
  push(chunk: Buffer): Buffer {
    for (let at = 0; at < chunk.length;) {
      if (!this.#frame) this.#readHeader(chunk[at++]!)
      else {
        const part = chunk.subarray(at, at + this.#frame.left)
        at += part.length
        this.#read(this.#frame, part)
      }
    }
    const shown = this.#shown
    this.#shown = []
    return shown.length === 1 ? shown[0]! : Buffer.concat(shown)
  }

  #readHeader(byte: number): void {
    const header = this.#header
    header.push(byte)
    const frame = parseHeader(Buffer.from(header))
    if (!frame) return
    this.#header = []
    this.#frame = frame
    this.#hold({ bytes: Buffer.from(header), isPayload: false })
    if (frame.left === 0) this.#end(frame)
  }

  #read(frame: Frame, part: Buffer): void {
    frame.left -= part.length
    if (frame.isControl) this.#control.push(part)
    else {
      const { ends, matched } = this.#matcher.match(part, this.#matched)
      this.#matched = matched
      this.#hold({ bytes: part, isPayload: true }, ends)
    }
    if (frame.left === 0) this.#end(frame)
  }

  #end({ isControl, isLast }: Frame): void {
    this.#frame = undefined
    if (isControl) {
      const bytes = Buffer.concat(this.#control)
      this.#control = []
      for (const end of this.#matcher.match(bytes, 0).ends) bytes.fill(asterisk, end - this.#matcher.length, end)
      this.#hold({ bytes, isPayload: false })
    } else if (isLast) {
      this.#matched = 0
      this.#release()
    }
  }

  /** @param ends where a key ends in the piece */
  #hold(piece: Piece, ends: readonly number[] = []): void {
    this.#held.push(piece)
    if (piece.isPayload) this.#heldPayload += piece.bytes.length
    else this.#heldBetween += piece.bytes.length
    for (const end of ends) this.#blot(piece.bytes.length - end)
    this.#release()
    if (this.#heldBetween > mostBetween) throw new FrameError('too much stands between two parts of a message')
  }

  /** @param after bytes of the last piece that stand behind the key */
  #blot(after: number): void {
    let left = this.#matcher.length
    for (let index = this.#held.length - 1; left > 0; index -= 1) {
      const piece = this.#held[index]!
      if (!piece.isPayload) continue
      const end = piece.bytes.length - after
      const from = Math.max(0, end - left)
      // The bytes of a chunk belong to the connection that they came on.
      piece.bytes = Buffer.from(piece.bytes).fill(asterisk, from, end)
      left -= end - from
      after = 0
    }
  }

  /** Shows what stands before the beginning of what may become a key. */
  #release(): void {
    let count = 0
    for (const piece of this.#held) {
      const surplus = this.#heldPayload - this.#matched
      if (piece.isPayload && surplus < piece.bytes.length) {
        if (surplus > 0) this.#shown.push(piece.bytes.subarray(0, surplus))
        piece.bytes = piece.bytes.subarray(surplus)
        this.#heldPayload -= surplus
        break
      }
      this.#shown.push(piece.bytes)
      if (piece.isPayload) this.#heldPayload -= piece.bytes.length
      else this.#heldBetween -= piece.bytes.length
      count += 1
    }
    this.#held.splice(0, count)
  }
}

/** @returns undefined while bytes of it are missing. Source: RFC 6455, section 5.2 */
function parseHeader(header: Buffer): Frame | undefined {
  if (header.length < 2) return undefined
  const [first = 0, second = 0] = header
  const opcode = first & 0x0f
  const isControl = opcode >= 0x8
  const isLast = (first & 0x80) !== 0
  const length = second & 0x7f
  if ((first & 0x70) !== 0 || !known.has(opcode)) throw new FrameError('the frame is of an extension')
  if ((second & 0x80) !== 0) throw new FrameError('a server must not mask its frames')
  if (isControl && (!isLast || length > longestControl)) throw new FrameError('a control frame is too long')
  if (length < 126) return { isControl, isLast, left: length }
  if (length === 126) return header.length < 4 ? undefined : { isControl, isLast, left: header.readUInt16BE(2) }
  return header.length < 10 ? undefined : { isControl, isLast, left: Number(header.readBigUInt64BE(2)) }
}
