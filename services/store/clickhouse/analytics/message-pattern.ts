import { textLiteral } from '../sql-literals.ts'

/** Parts that differ between messages of one cause, in order of replacement. RE2 without lookaround or backslashes. */
const variableParts = [
  ['https?://[^[:space:]]+', '<…>'],
  ['"[^"]{1,200}"|`[^`]{1,200}`', '<…>'],
  // An apostrophe within a word is none of these.
  ["[ (:=]'[^']{1,200}'", ' <…>'],
  // Numbers, ids, masked keys, paths: a digit or an asterisk makes the whole of it variable.
  ['[0-9A-Za-z_.:/@*-]*[0-9*][0-9A-Za-z_.:/@*-]*', '<…>'],
  ['[A-Za-z_-]{32,}', '<…>'],
  ['[[:space:]]+', ' '],
  ['<…>([ ,]*<…>)+', '<…>'],
] as const

/** Longer messages are compared by their beginning, characters. */
export const comparedMessage = 300

/** The SQL expression for the pattern of a message: its text with `<…>` for numbers, ids, quoted texts and keys. */
export const messagePattern = (message: string): string =>
  variableParts.reduce(
    (sql, [pattern, replacement]) => `replaceRegexpAll(${sql}, ${textLiteral(pattern)}, ${textLiteral(replacement)})`,
    message,
  )
