import { stringify } from 'csv-stringify/browser/esm/sync'
import { spreadsheetText } from '#schemas/spreadsheet-text.ts'
import type { DataRow } from './data-table.tsx'

export type ChartRow = DataRow & {
  /** The cells as exported, which a spreadsheet reads in any language: times in UTC, durations in ms, money in USD. */
  values: readonly (string | number | null)[]
}

export const chartCsv = ({ heads, rows }: { heads: readonly string[]; rows: readonly ChartRow[] }): string =>
  stringify([heads, ...rows.map(({ values }) => values)], {
    bom: true,
    quoted_string: true,
    record_delimiter: 'windows',
    cast: { string: spreadsheetText },
  })
