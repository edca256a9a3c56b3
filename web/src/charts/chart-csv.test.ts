import { expect, test } from 'vitest'
import { chartCsv } from './chart-csv.ts'

test('a chart is exported with exact values, safe in a spreadsheet', () => {
  const rows = [
    { key: '1', cells: ['Nov 23, 05:00', '1,204', '–'], values: ['2026-11-23T05:00:00.000Z', 1204, null] },
    { key: '2', cells: ['=cmd|calc', '12 ms', '–'], values: ['=cmd|calc', 12, null] },
  ]
  expect(chartCsv({ heads: ['Time', 'Requests', 'p95'], rows })).toBe(
    '\uFEFF"Time","Requests","p95"\r\n"2026-11-23T05:00:00.000Z",1204,\r\n"\'=cmd|calc",12,\r\n',
  )
})
