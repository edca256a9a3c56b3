import { stringify } from 'csv-stringify/sync'

type Cell = string | number | boolean | null

/** Spreadsheets would run these cells as formulas. */
const formula = /^[=+\-@\t\r]/

const toText = (text: string) => (formula.test(text.trimStart()) || formula.test(text) ? `'${text}` : text)

/** RFC 4180 with all text quoted; an apostrophe before a cell keeps spreadsheets from running it as a formula. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  stringify([...rows], { quoted_string: true, record_delimiter: 'windows', cast: { string: toText, boolean: String } })
