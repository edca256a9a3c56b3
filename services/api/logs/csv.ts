import { stringify } from 'csv-stringify/sync'
import { spreadsheetText } from '#schemas/spreadsheet-text.ts'

type Cell = string | number | boolean | Record<string, string> | null

/** JSON, or an empty text for an empty object. */
const toJson = (value: object) => (Object.keys(value).length > 0 ? JSON.stringify(value) : '')

/** RFC 4180 with all text quoted. Spreadsheets do not run any cell as a formula. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  stringify([...rows], {
    quoted_string: true,
    record_delimiter: 'windows',
    cast: { string: spreadsheetText, boolean: String, object: toJson },
  })
