import { z } from 'zod'
import { StartFailure } from '#tools/process/start-failure.ts'

/** Rows of a backup's files, by file name without extension: `<table>`, or `<table>.<partition>`. */
export const RowCounts = z.record(z.string(), z.int().nonnegative())
export type RowCounts = z.infer<typeof RowCounts>

/** @throws StartFailure when a file did not yield as many rows as were written to it */
export function checkRows(name: string, expected: number | undefined, found: number): void {
  if (found !== expected)
    throw new StartFailure(`The backup has ${expected ?? 'no'} rows of ${name}, but ${found} were restored.`)
}

/** @returns for example `accounts 2, request_logs 300`, without empty tables */
export function describeRows(counts: RowCounts): string {
  const tables = Object.groupBy(Object.entries(counts), ([name]) => name.split('.')[0]!)
  return Object.entries(tables)
    .map(([table, files = []]) => ({ table, rows: files.reduce((sum, [, rows]) => sum + rows, 0) }))
    .filter(({ rows }) => rows > 0)
    .map(({ table, rows }) => `${table} ${rows}`)
    .join(', ')
}
