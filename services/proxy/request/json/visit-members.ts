import { kib } from '#core/units.ts'

const [quote, comma, colon, space, backslash] = [0x22, 0x2c, 0x3a, 0x20, 0x5c]
const [openBrace, closeBrace, openBracket] = [0x7b, 0x7d, 0x5b]
const [minus, plus, dot, zero, one, nine] = [0x2d, 0x2b, 0x2e, 0x30, 0x31, 0x39]
const [lowerA, lowerE, upperE, lowerF, lowerU] = [0x61, 0x65, 0x45, 0x66, 0x75]

/** Providers' parsers support no deeper nesting. */
const maxDepth = 10_000

/** A longer walk yields each time it has covered this much. */
export const pauseBytes = 256 * kib

/** Closing brackets by depth. Walks that never yield can share it, because they never overlap. */
const sharedClosers = new Uint8Array(maxDepth + 1)

const isEscape = new Uint8Array(256)
for (const letter of Buffer.from('"\\/bfnrt')) isEscape[letter] = 1

const words = ['true', 'false', 'null'].map((word) => Buffer.from(word))

/** A longer number makes the JSON invalid. */
const mostDigits = 64 * kib

const longestStep = 256 * kib

/** Positions of a member: its name including the quotes, and its value. */
type VisitMember = (nameAt: number, nameEnd: number, valueAt: number, valueEnd: number) => void

/**
 * Walks through a JSON object in linear time, without allocating. Yields every `pauseBytes`, so that a long walk need
 * not block the event loop. The current byte is kept in a variable, because rereading it is the main cost.
 * @param visit called for each member of the outermost object, in order, repeated names included
 * @returns false for anything that `JSON.parse` would not turn into an object
 */
export function* visitMembers(json: Buffer, visit: VisitMember): Generator<void, boolean> {
  const closers = json.length > pauseBytes ? new Uint8Array(maxDepth + 1) : sharedClosers
  let pauseAt = pauseBytes
  const view = new DataView(json.buffer, json.byteOffset, json.length)
  let [nameAt, nameEnd, valueAt] = [0, 0, 0]
  let [depth, closer] = [0, 0]
  let at = spaceEnd(json, 0)
  let byte = json[at]!
  if (byte !== openBrace) return false
  for (;;) {
    if (at >= pauseAt) {
      pauseAt = at + pauseBytes
      yield
    }
    if (byte <= space) byte = json[(at = spaceEnd(json, at))]!
    if (closer === closeBrace) {
      if (byte !== quote) return false
      const from = at
      at = stringEnd(json, view, from + 1)
      // A name longer than one step counts as invalid.
      if (at < 0) return false
      if (depth === 1) {
        nameAt = from
        nameEnd = at
      }
      byte = json[at]!
      if (byte <= space) byte = json[(at = spaceEnd(json, at))]!
      if (byte !== colon) return false
      byte = json[(at += 1)]!
      if (byte <= space) byte = json[(at = spaceEnd(json, at))]!
      if (depth === 1) valueAt = at
    }
    const isOpening = byte === openBrace || byte === openBracket
    if (isOpening) {
      if (depth === maxDepth) return false
      depth += 1
      closer = byte + 2
      closers[depth] = closer
      at += 1
    } else {
      if (byte >= one && byte <= nine) {
        // Inlined: a body can hold more whole numbers than any other value.
        const stopAt = at + mostDigits
        do byte = json[(at += 1)]!
        while (byte >= zero && byte <= nine && at < stopAt)
        if (byte === dot || byte === lowerE || byte === upperE) at = fractionEnd(json, at)
      } else if (byte === quote) {
        for (at = stringEnd(json, view, at + 1); at < -1; at = stringEnd(json, view, -at)) yield
      } else at = scalarEnd(json, at)
      if (at === -1) return false
      if (depth === 1) visit(nameAt, nameEnd, valueAt, at)
    }
    byte = json[at]!
    if (byte <= space) byte = json[(at = spaceEnd(json, at))]!
    if (isOpening && byte !== closer) continue
    while (byte === closer) {
      depth -= 1
      closer = closers[depth]!
      at += 1
      if (depth === 1) visit(nameAt, nameEnd, valueAt, at)
      if (depth === 0) return spaceEnd(json, at) === json.length
      byte = json[at]!
      if (byte <= space) byte = json[(at = spaceEnd(json, at))]!
    }
    if (byte !== comma) return false
    byte = json[(at += 1)]!
  }
}

const isSpace = new Uint8Array(256)
for (const byte of [space, 0x0a, 0x0d, 0x09]) isSpace[byte] = 1

/** A longer run of blanks ends the JSON. */
const mostBlanks = 256 * kib

function spaceEnd(json: Buffer, from: number): number {
  const stopAt = from + mostBlanks
  let at = from
  while (isSpace[json[at]!] === 1) {
    at += 1
    if (at === stopAt) return json.length
  }
  return at
}

/** @returns the position after the number or word at `from`; -1 if there is none */
function scalarEnd(json: Buffer, from: number): number {
  const first = json[from]!
  if (first === minus || isDigit(first)) return numberEnd(json, from)
  const word = words.find((each) => each[0] === first)
  return word?.equals(json.subarray(from, from + word.length)) ? from + word.length : -1
}

/**
 * @param a position within a string, but not within an escape
 * @returns the position after the string; -1 when it is invalid or does not end; less than -1 for a long string that
 * was scanned in part: the negative of the position to continue from
 */
function stringEnd(json: Buffer, view: DataView, from: number): number {
  const stopAt = from + longestStep
  const lastFour = Math.min(json.length - 4, stopAt)
  for (let at = from; ;) {
    while (at <= lastFour && isPlain(view.getInt32(at))) at += 4
    if (at >= stopAt) return -at
    let byte = json[at]!
    while (byte >= space && byte !== quote && byte !== backslash) byte = json[(at += 1)]!
    if (byte === quote) return at + 1
    if (byte !== backslash) return -1
    at = escapeEnd(json, at)
    if (at === -1) return -1
  }
}

/**
 * Whether none of four bytes is a quote, a backslash or a control character: each of those sets the top bit of its byte
 * in one of the three terms.
 */
function isPlain(four: number): boolean {
  const quotes = four ^ 0x22222222
  const backslashes = four ^ 0x5c5c5c5c
  const found =
    ((four - 0x20202020) & ~four) | ((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes)
  return (found & 0x80808080) === 0
}

function escapeEnd(json: Buffer, at: number): number {
  const letter = json[at + 1]!
  if (isEscape[letter] === 1) return at + 2
  const isUnicode =
    letter === lowerU && isHex(json[at + 2]!) && isHex(json[at + 3]!) && isHex(json[at + 4]!) && isHex(json[at + 5]!)
  return isUnicode ? at + 6 : -1
}

const isDigit = (byte: number) => byte >= zero && byte <= nine
const isHex = (byte: number) => isDigit(byte) || (toLower(byte) >= lowerA && toLower(byte) <= lowerF)

const toLower = (byte: number) => byte | 0x20

function numberEnd(json: Buffer, from: number): number {
  const at = json[from] === minus ? from + 1 : from
  const end = json[at] === zero ? at + 1 : digitsEnd(json, at)
  return end === -1 ? -1 : fractionEnd(json, end)
}

/** @returns the position after an optional fraction and exponent; -1 if either has no digits */
function fractionEnd(json: Buffer, from: number): number {
  const at = json[from] === dot ? digitsEnd(json, from + 1) : from
  if (at === -1 || toLower(json[at]!) !== lowerE) return at
  const sign = json[at + 1]
  return digitsEnd(json, sign === plus || sign === minus ? at + 2 : at + 1)
}

function digitsEnd(json: Buffer, from: number): number {
  let at = from
  while (isDigit(json[at]!) && at - from < mostDigits) at += 1
  return at === from ? -1 : at
}
