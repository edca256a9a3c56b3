import { parseJson } from '#schemas/parse-json.ts'

/** Parses JSON whose end may be missing: closes what is open, and drops a value that was cut in two. */
export function parseCutJson(text: string): unknown {
  return parseJson(text) ?? parseJson(closed(text)) ?? parseJson(withoutLast(text))
}

interface Scan {
  /** Closes the brackets that are open at the end. */
  closers: string
  /** Index after the last whole character, if the end is within a string. */
  textEnd: number | undefined
  /** Where the last value begins, and the closers of the brackets around it. */
  last: { at: number; closers: string }
}

function closed(text: string): string {
  const { closers, textEnd } = scan(text)
  return textEnd === undefined ? text + closers : `${text.slice(0, textEnd)}"${closers}`
}

function withoutLast(text: string): string {
  const { at, closers } = scan(text).last
  return text.slice(0, at) + closers
}

function scan(text: string): Scan {
  let closers = ''
  let last = { at: 0, closers }
  let at = 0
  while (at < text.length) {
    const character = text[at]
    if (character === '"') {
      const { end, isWhole } = skipText(text, at + 1)
      if (!isWhole) return { closers, textEnd: end, last }
      at = end
      continue
    }
    if (character === ',') last = { at, closers }
    if (character === '}' || character === ']') closers = closers.slice(1)
    at += 1
    if (character !== '{' && character !== '[') continue
    closers = (character === '{' ? '}' : ']') + closers
    last = { at, closers }
  }
  return { closers, textEnd: undefined, last }
}

/** @returns the index after the closing quote or, without one, after the last whole character */
function skipText(text: string, from: number): { end: number; isWhole: boolean } {
  let at = from
  while (at < text.length) {
    if (text[at] === '"') return { end: at + 1, isWhole: true }
    const length = text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2
    if (at + length > text.length) break
    at += length
  }
  return { end: at, isWhole: false }
}
