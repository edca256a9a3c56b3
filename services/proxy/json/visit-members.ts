import { fractionEnd, scalarEnd, stringEnd } from './scalar-end.ts'

// Constants of this module, not of one that several share: the compiler knows only these by their value.
const [quote, comma, colon, space] = [0x22, 0x2c, 0x3a, 0x20]
const [openBrace, closeBrace, openBracket] = [0x7b, 0x7d, 0x5b]
const [dot, zero, one, nine, lowerE, upperE] = [0x2e, 0x30, 0x31, 0x39, 0x65, 0x45]

/** Deeper than this is no request of anybody; the parsers of providers give up here or before. */
const maxDepth = 10_000

/** What closes the brackets that are open. There is one walk at a time: it never waits. */
const closers = new Uint8Array(maxDepth + 1)

/** Positions of a member: its name with the quotes, and its value. */
export type VisitMember = (nameAt: number, nameEnd: number, valueAt: number, valueEnd: number) => void

/**
 * Walks through the JSON of an object where it stands. Nothing is made of it, so that it takes little time, and none
 * that grows faster than the bytes. The byte to look at is kept at hand: reading it anew is what costs.
 * @param visit called for each member of the object itself, repeated ones included, in order
 * @returns false when `JSON.parse` would not make an object of it; what was visited means nothing then
 */
export function visitMembers(json: Buffer, visit: VisitMember): boolean {
  const view = new DataView(json.buffer, json.byteOffset, json.length)
  let [nameAt, nameEnd, valueAt] = [0, 0, 0]
  let [depth, closer] = [0, 0]
  let at = spaceEnd(json, 0)
  let byte = json[at]!
  if (byte !== openBrace) return false
  for (;;) {
    if (byte <= space) byte = json[(at = spaceEnd(json, at))]!
    if (closer === closeBrace) {
      if (byte !== quote) return false
      const from = at
      at = stringEnd(json, view, from)
      if (at === -1) return false
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
        do byte = json[(at += 1)]!
        while (byte >= zero && byte <= nine)
        if (byte === dot || byte === lowerE || byte === upperE) at = fractionEnd(json, at)
      } else at = scalarEnd(json, view, at)
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

function spaceEnd(json: Buffer, from: number): number {
  let at = from
  while (isSpace(json[at]!)) at += 1
  return at
}

/** Space, line feed, carriage return and tab; JSON knows no others. */
const isSpace = (byte: number) => byte === space || byte === 0x0a || byte === 0x0d || byte === 0x09
