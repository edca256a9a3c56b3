import { stringify } from 'csv-stringify/sync'

type Cell = string | number | boolean | null

/** A cell that a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/

const toText = (text: string) => (formula.test(text.trimStart()) || formula.test(text) ? `'${text}` : text)

/** RFC 4180, every text quoted; a cell that a spreadsheet could run gets an apostrophe in front. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  stringify([...rows], { quoted_string: true, record_delimiter: 'windows', cast: { string: toText, boolean: String } })
