import { stringify } from 'csv-stringify/browser/esm/sync'
import { spreadsheetText } from '#schemas/spreadsheet-text.ts'
import type { DataTableProps } from './data-table.tsx'

/** A chart's numbers for a spreadsheet: exact values where the table has them, else as shown. */
export const chartCsv = ({ heads, rows }: Pick<DataTableProps, 'heads' | 'rows'>): string =>
  stringify([heads, ...rows.map(({ cells, values = cells }) => values)], {
    bom: true,
    quoted_string: true,
    record_delimiter: 'windows',
    cast: { string: spreadsheetText },
  })
