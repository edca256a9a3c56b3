import { stringify } from 'csv-stringify/browser/esm/sync'
import { spreadsheetText } from '#schemas/spreadsheet-text.ts'
import type { DataTableProps } from './data-table.tsx'

/** The numbers of a chart for a spreadsheet: exact where the table has them, else as they are shown. */
export const chartCsv = ({ heads, rows }: Pick<DataTableProps, 'heads' | 'rows'>): string =>
  stringify([heads, ...rows.map(({ cells, values = cells }) => values)], {
    bom: true,
    quoted_string: true,
    record_delimiter: 'windows',
    cast: { string: spreadsheetText },
  })
