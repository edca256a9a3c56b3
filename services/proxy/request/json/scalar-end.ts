import { kib } from '#core/units.ts'

const [quote, backslash, space] = [0x22, 0x5c, 0x20]
const [minus, plus, dot, zero, nine] = [0x2d, 0x2b, 0x2e, 0x30, 0x39]
const [lowerA, lowerE, lowerF, lowerU] = [0x61, 0x65, 0x66, 0x75]

/** What may follow a backslash, except `u`. */
const isEscape = new Uint8Array(256)
for (const letter of Buffer.from('"\\/bfnrt')) isEscape[letter] = 1

const words = ['true', 'false', 'null'].map((word) => Buffer.from(word))

/** The rest of a longer number makes the JSON invalid. */
export const mostDigits = 64 * kib

/** Bytes of a string that are scanned in one step. */
const longestStep = 256 * kib

/** @returns the position behind the number or word at `from`; -1 when there is none */
export function scalarEnd(json: Buffer, from: number): number {
  const first = json[from]!
  if (first === minus || isDigit(first)) return numberEnd(json, from)
  const word = words.find((each) => each[0] === first)
  return word?.equals(json.subarray(from, from + word.length)) ? from + word.length : -1
}

/**
 * @param from within a string, not within an escape
 * @returns the position behind the string; -1 when it is invalid or does not end; less than -1 for a long string that
 * was scanned in part: the negative of the position to continue from
 */
export function stringEnd(json: Buffer, view: DataView, from: number): number {
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

/** For letters only. */
const toLower = (byte: number) => byte | 0x20

function numberEnd(json: Buffer, from: number): number {
  const at = json[from] === minus ? from + 1 : from
  const end = json[at] === zero ? at + 1 : digitsEnd(json, at)
  return end === -1 ? -1 : fractionEnd(json, end)
}

/** @returns the position behind an optional fraction and exponent; -1 when one has no digits */
export function fractionEnd(json: Buffer, from: number): number {
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
