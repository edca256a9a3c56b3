import { textLiteral } from '../sql-literals.ts'

/** Parts that vary between messages with one cause, in order of replacement. RE2 without lookaround or backslashes. */
const variableParts = [
  // Numbers, ids, masked keys, paths: a digit or an asterisk makes the whole word variable.
  ['https?://[^[:space:]]+|[0-9A-Za-z_.:/@*-]*[0-9*][0-9A-Za-z_.:/@*-]*', '<…>'],
  ['"[^"]{1,200}"|`[^`]{1,200}`', '<…>'],
  // An apostrophe within a word does not start a quotation.
  ["[ (:=]'[^']{1,200}'", ' <…>'],
  ['[A-Za-z_-]{32,}', '<…>'],
  ['[[:space:]]+', ' '],
  ['<…>([ ,]*<…>)+', '<…>'],
] as const

/** Characters at the beginning of a message that are compared. */
export const comparedMessage = 300

const replaced = (sql: string, [pattern, replacement]: (typeof variableParts)[number]) =>
  `replaceRegexpAll(${sql}, ${textLiteral(pattern)}, ${textLiteral(replacement)})`

/** SQL for a message without its variable words, which has the same pattern, and is much cheaper to find. */
export const withoutVariableWords = (message: string): string => replaced(message, variableParts[0])

/** SQL for the pattern of a message: its text with `<…>` in place of numbers, ids, quoted texts and keys. */
export const messagePattern = (message: string): string => variableParts.reduce<string>(replaced, message)
