import { kib } from '#core/units.ts'
import { fractionEnd, mostDigits, scalarEnd, stringEnd } from './scalar-end.ts'

// Not shared with other modules: V8 inlines only constants of the same module.
const [quote, comma, colon, space] = [0x22, 0x2c, 0x3a, 0x20]
const [openBrace, closeBrace, openBracket] = [0x7b, 0x7d, 0x5b]
const [dot, zero, one, nine, lowerE, upperE] = [0x2e, 0x30, 0x31, 0x39, 0x65, 0x45]

/** Parsers of providers support no deeper nesting. */
const maxDepth = 10_000

/** A longer walk yields each time it has covered this much. */
export const pauseBytes = 256 * kib

/** Closing brackets by depth. Walks that never yield can share it, because they never overlap. */
const sharedClosers = new Uint8Array(maxDepth + 1)

/** Positions of a member: its name including the quotes, and its value. */
export type VisitMember = (nameAt: number, nameEnd: number, valueAt: number, valueEnd: number) => void

/**
 * Walks through the JSON of an object in linear time, without allocating. The current byte is kept in a variable,
 * because reading it again is what costs.
 * @param visit called for each member of the outermost object, in order, repeated names included
 * @yields every `pauseBytes`, so that a long walk need not block the event loop
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

/** JSON is taken to end at a longer run of blanks. */
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
