/** A part ends before an ASCII character, unless there is none for long, so that accents stay with their letter. */
const parts = /[^]{1,128}[\x80-\uffff]{0,64}/g

/** Text without these has nothing to compose. */
const composing = /[\u0300-\uffff]/

/**
 * Folds letter case, and letters composed of several code points; in parts, because the time that it takes grows with
 * the square of the number of accents in a row.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase()
  return composing.test(lower) ? lower.replace(parts, (part) => part.normalize('NFC')) : lower
}

const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Text with its JSON escapes replaced. Many clients escape every character that is not ASCII. */
export const unescapeJson = (text: string): string =>
  text.replace(/\\(?:u([\dA-Fa-f]{4})|(["\\/bfnrt]))/g, (_escape, code: string | undefined, letter: string) =>
    code === undefined ? (controls[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  )
