import { kib } from '#core/units.ts'
import { fractionEnd, mostDigits, scalarEnd, stringEnd } from './scalar-end.ts'

// Constants of this module, not of one that several share: the compiler knows only these by their value.
const [quote, comma, colon, space] = [0x22, 0x2c, 0x3a, 0x20]
const [openBrace, closeBrace, openBracket] = [0x7b, 0x7d, 0x5b]
const [dot, zero, one, nine, lowerE, upperE] = [0x2e, 0x30, 0x31, 0x39, 0x65, 0x45]

/** Requests are not nested deeper; the parsers of providers give up here or before. */
const maxDepth = 10_000

/** A walk through more than this makes room for others now and then. */
export const pauseBytes = 256 * kib

/** What closes the brackets that are open, for walks that do not pause: there is one of them at a time. */
const sharedClosers = new Uint8Array(maxDepth + 1)

/** Positions of a member: its name with the quotes, and its value. */
export type VisitMember = (nameAt: number, nameEnd: number, valueAt: number, valueEnd: number) => void

/**
 * Walks through the JSON of an object where it stands. Nothing is made of it, so that it takes little time, and none
 * that grows faster than the bytes. The byte to look at is kept at hand: reading it anew is what costs.
 * @param visit called for each member of the object itself, repeated ones included, in order
 * @yields every `pauseBytes`, so that a long walk need not hold up the event loop
 * @returns false when `JSON.parse` would not make an object of it; what was visited means nothing then
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
      // Also when it is too long for any name.
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
        // Whole numbers are the shortest values, so there can be most of them: a call for each would show.
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

/** Space, line feed, carriage return and tab; JSON knows no others. */
const isSpace = new Uint8Array(256)
for (const byte of [space, 0x0a, 0x0d, 0x09]) isSpace[byte] = 1

/** Longer runs of blanks do not occur: the JSON counts as ended there. */
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
