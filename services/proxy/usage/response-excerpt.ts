import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import { maxUsageBytes } from './token-usage.ts'

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** What a scan stops at: within other values, only strings and nesting matter. */
const stopsInside = tableOf([quote, openBrace, closeBrace, openBracket, closeBracket])
const stopsOfMember = tableOf([quote, openBrace, closeBrace, openBracket, closeBracket, comma, colon])

const shortValue = kib
/** The members that determine a price, and how long their values may be. */
const wanted = new Map([
  ...['type', 'id', 'object', 'status', 'background', 'model', 'modelVersion', 'service_tier'].map(
    (name) => [name, shortValue] as const,
  ),
  ['usage', maxUsageBytes],
  ['usageMetadata', maxUsageBytes],
  ['tool_usage', maxUsageBytes],
  ['tools', 256 * kib],
])

/** In an event, the member that is a whole response; the second name is that of an interaction at Google. */
const nested = 'response'
const nestedNames = new Set([nested, 'interaction'])
const longestName = 32

/**
 * Collects the members that determine the price of a response, or the type of a message, that is too long to be kept:
 * its own, and those of a `response` within an event. Of a list, as Google streams it, the last ones. Other bytes are only
 * looked at, in linear time.
 */
export class ResponseExcerpt {
  readonly #own = new Map<string, Buffer>()
  readonly #nested = new Map<string, Buffer>()
  readonly #unwraps: boolean
  #depth = 0
  /** Name of the current member of the outermost object. */
  #outerName = ''
  /** Whether the next string is the name of a member that may be wanted. */
  #expectsName = false
  #isInString = false
  #isEscaped = false
  /** Next positions in the current bytes. */
  #quoteAt = -1
  #backslashAt = -1
  readonly #name = Buffer.alloc(longestName)
  #nameLength = 0
  #isInName = false
  /** Of the current member, if it is wanted. */
  readonly #value = new GrowingBuffer()
  #valueName: string | undefined

  /** @param unwraps whether an `event` within an event, as of the backend of a session, takes the place of the outer one */
  constructor(unwraps = false) {
    this.#unwraps = unwraps
  }

  push(bytes: Buffer): void {
    this.#quoteAt = this.#backslashAt = -1
    let valueFrom = 0
    for (let at = 0; at < bytes.length;) {
      if (this.#isInString) {
        const from = at
        at = this.#stringEnd(bytes, at)
        if (this.#isInName) this.#keepName(bytes.subarray(from, at))
        continue
      }
      const stops = this.#isAtMembers ? stopsOfMember : stopsInside
      while (at < bytes.length && stops[bytes[at]!] === 0) at += 1
      const byte = bytes[at]
      at += 1
      if (byte === quote) this.#beginString()
      else if (byte === openBrace || byte === openBracket) this.#open(byte)
      else if (byte === closeBrace || byte === closeBracket || byte === comma) {
        if (this.#isAtMembers) this.#endValue(bytes.subarray(valueFrom, at - 1))
        if (byte !== comma && this.#depth > 0) this.#depth -= 1
        this.#expectsName = byte === comma && this.#isAtMembers
      } else if (byte === colon && this.#isAtMembers) {
        valueFrom = at
        this.#beginValue()
      }
    }
    this.#keepValue(bytes.subarray(valueFrom))
  }

  /** An object with the members that were found. */
  json(): Buffer {
    const response = toJson(this.#nested)
    return toJson(this.#nested.size === 0 ? this.#own : new Map([...this.#own, [nested, response]]))
  }

  /** Whether the current object is the outermost one, or the response within it. */
  get #isAtMembers(): boolean {
    return this.#depth === 1 || (this.#depth === 2 && nestedNames.has(this.#outerName))
  }

  /** Those found in the current object. */
  get #members(): Map<string, Buffer> {
    return this.#depth === 1 ? this.#own : this.#nested
  }

  #open(byte: number): void {
    // The objects of a list count as the outermost ones.
    if (this.#depth === 0 && byte === openBracket) return
    if (this.#unwraps && this.#depth === 1 && this.#outerName === 'event') this.#own.clear()
    else this.#depth += 1
    this.#expectsName = byte === openBrace && this.#isAtMembers
  }

  #beginString(): void {
    this.#isInString = true
    this.#isInName = this.#expectsName
    this.#expectsName = false
    this.#nameLength = 0
  }

  /** @returns the position after the string, or the end of the bytes. All searches together are linear. */
  #stringEnd(bytes: Buffer, from: number): number {
    let at = from
    if (this.#isEscaped) at += 1
    this.#isEscaped = false
    while (at < bytes.length) {
      if (this.#quoteAt < at) this.#quoteAt = positionOf(bytes, quote, at)
      if (this.#backslashAt < at) this.#backslashAt = positionOf(bytes, backslash, at)
      if (this.#quoteAt < this.#backslashAt) {
        this.#isInString = false
        return this.#quoteAt + 1
      }
      at = this.#backslashAt + 2
      this.#isEscaped = at === bytes.length + 1
    }
    return bytes.length
  }

  #keepName(bytes: Buffer): void {
    bytes.copy(this.#name, this.#nameLength)
    this.#nameLength += bytes.length
  }

  #beginValue(): void {
    // Longer names are cut, and not wanted. The length includes the closing quote.
    const name = unescaped(this.#name.toString('latin1', 0, this.#nameLength - 1))
    if (this.#depth === 1) this.#outerName = name
    this.#valueName = wanted.has(name) ? name : undefined
    const earlier = this.#members.get(name)
    if (!earlier) return
    // Parsers differ in which one they use, so `findMembers` counts both.
    this.#members.delete(name)
    this.#members.set(name.toUpperCase(), earlier)
  }

  #keepValue(bytes: Buffer): void {
    const name = this.#valueName
    if (name === undefined) return
    if (this.#value.length + bytes.length <= wanted.get(name)!) return this.#value.append(Buffer.from(bytes))
    this.#value.keepLast(0)
    this.#valueName = undefined
  }

  #endValue(last: Buffer): void {
    this.#keepValue(last)
    const name = this.#valueName
    if (name !== undefined) this.#members.set(name, Buffer.from(this.#value.bytes()))
    this.#value.keepLast(0)
    this.#valueName = undefined
  }
}

export function excerptOf(json: Buffer): Buffer {
  const excerpt = new ResponseExcerpt()
  excerpt.push(json)
  return excerpt.json()
}

const unescaped = (name: string): string =>
  name.replace(/\\u([\da-f]{4})/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const toJson = (members: ReadonlyMap<string, Buffer>): Buffer =>
  Buffer.concat([
    Buffer.from('{'),
    ...[...members].flatMap(([name, value], at) => [Buffer.from(`${at > 0 ? ',' : ''}"${name}":`), value]),
    Buffer.from('}'),
  ])

function tableOf(stops: readonly number[]): Uint8Array {
  const table = new Uint8Array(256)
  for (const byte of stops) table[byte] = 1
  return table
}

function positionOf(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from)
  return at === -1 ? bytes.length : at
}
