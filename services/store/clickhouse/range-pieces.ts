import { day, minute } from '#core/units.ts'

export const quarter = 15 * minute

/** Later than any log, and within the range of the rollups' type. */
export const forever = Date.UTC(2100)

/** ms since 1970; `to` is exclusive. */
export interface TimeSpan {
  from: number
  to: number
}

/** A rollup and the length of its buckets, ms. */
export interface RollupLevel<Table extends string> {
  table: Table
  step: number
}

/** Part of a time range, in the coarsest table that fits its bounds. */
export interface RangePiece<Table extends string> extends TimeSpan {
  table: Table | 'request_logs'
}

/** Rollups that count by any combination of dimensions. */
export const usageLevels = [
  { table: 'usage_day', step: day },
  { table: 'usage_quarter_hour', step: quarter },
] as const

/** Start of the oldest day that is completely stored, ms since 1970. */
export const keptFrom = (now: number, retentionDays: number) => Math.ceil((now - retentionDays * day) / day) * day

/** Widens the range to whole quarter hours where there are no rows to count. */
export function countableRange(from: number, to: number, rowsFrom: number): TimeSpan {
  return {
    from: from < rowsFrom ? Math.floor(from / quarter) * quarter : from,
    to: to < rowsFrom ? Math.ceil(to / quarter) * quarter : to,
  }
}

/**
 * Splits a range so that rows are counted only at its ends, in parts shorter than the finest bucket.
 * @returns at least one piece, because a query needs a table
 */
export function rangePieces<Table extends string>(
  from: number,
  to: number,
  levels: readonly RollupLevel<Table>[],
): RangePiece<Table>[] {
  const pieces = split(from, to, levels)
  return pieces.length > 0 ? pieces : [{ table: 'request_logs', from, to }]
}

function split<Table extends string>(
  from: number,
  to: number,
  [coarsest, ...finer]: readonly RollupLevel<Table>[],
): RangePiece<Table>[] {
  if (from >= to) return []
  if (!coarsest) return [{ table: 'request_logs', from, to }]
  const { table, step } = coarsest
  const [first, last] = [Math.ceil(from / step) * step, Math.floor(to / step) * step]
  if (first >= last) return split(from, to, finer)
  return [...split(from, first, finer), { table, from: first, to: last }, ...split(last, to, finer)]
}
