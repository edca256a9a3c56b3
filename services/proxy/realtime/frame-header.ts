/** Longest header, with the length in eight bytes and a mask of four. */
export const longestHeader = 14

const longestControl = 125
const lengthBytes = new Map([
  [126, 2],
  [127, 8],
])
const maskBytes = 4

export interface Frame {
  opcode: number
  isControl: boolean
  isLast: boolean
  /** Bytes that have not arrived yet. */
  left: number
  /** Client frames are masked, server frames are not. */
  mask: Buffer | undefined
}

/** A frame that is invalid or could hide a key. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

export const closeOpcode = 0x8
const knownOpcodes = new Set([0x0, 0x1, 0x2, closeOpcode, 0x9, 0xa])

/**
 * Parses a header. Source: RFC 6455, section 5.2.
 * @param bytes how many header bytes have arrived
 * @returns undefined while it is incomplete
 * @throws FrameError
 */
export function parseHeader(header: Buffer, bytes: number, isMasked: boolean): Frame | undefined {
  if (bytes < 2) return undefined
  const [first = 0, second = 0] = header
  const opcode = first & 0x0f
  const isControl = opcode >= 0x8
  const isLast = (first & 0x80) !== 0
  const shortLength = second & 0x7f
  if ((first & 0x70) !== 0 || !knownOpcodes.has(opcode)) throw new FrameError('unknown opcode or extension')
  if (((second & 0x80) !== 0) !== isMasked) throw new FrameError('client frames must be masked, server frames must not')
  if (isControl && (!isLast || shortLength > longestControl)) throw new FrameError('a control frame is too long')
  const maskAt = 2 + (lengthBytes.get(shortLength) ?? 0)
  const end = isMasked ? maskAt + maskBytes : maskAt
  if (bytes < end) return undefined
  const mask = isMasked ? Buffer.from(header.subarray(maskAt, end)) : undefined
  return { opcode, isControl, isLast, left: readLength(header, shortLength), mask }
}

function readLength(header: Buffer, shortLength: number): number {
  if (shortLength < 126) return shortLength
  return shortLength === 126 ? header.readUInt16BE(2) : Number(header.readBigUInt64BE(2))
}

/** A complete server frame. @param payload at most 65,535 bytes */
export function encodeFrame(opcode: number, payload: Buffer): Buffer {
  const header = Buffer.from([0x80 | opcode, Math.min(payload.length, 126)])
  if (payload.length < 126) return Buffer.concat([header, payload])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(payload.length)
  return Buffer.concat([header, length, payload])
}

/** A server's close frame. @param status close code @param reason at most 123 bytes */
export function closeFrame(status: number, reason: string): Buffer {
  const code = Buffer.alloc(2)
  code.writeUInt16BE(status)
  return encodeFrame(closeOpcode, Buffer.concat([code, Buffer.from(reason)]))
}
