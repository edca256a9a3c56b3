import { stringify } from 'csv-stringify/sync'

type Cell = string | number | boolean | Record<string, string> | null

/** Spreadsheets would run these cells as formulas. */
const formula = /^[=+\-@\t\r]/

const toText = (text: string) => (formula.test(text.trimStart()) || formula.test(text) ? `'${text}` : text)

/** JSON, or nothing at all for an empty object. */
const toJson = (value: object) => (Object.keys(value).length > 0 ? toText(JSON.stringify(value)) : '')

/** RFC 4180 with all text quoted; an apostrophe before a cell keeps spreadsheets from running it as a formula. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  stringify([...rows], {
    quoted_string: true,
    record_delimiter: 'windows',
    cast: { string: toText, boolean: String, object: toJson },
  })
