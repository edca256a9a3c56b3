import { day, minute } from '#core/units.ts'

const quarter = 15 * minute

/** Part of a time range in the coarsest table with its bounds. ms since 1970; `to` is exclusive. */
interface RangePiece {
  table: 'usage_day' | 'usage_quarter_hour' | 'request_logs'
  from: number
  to: number
}

/** Start of the oldest day whose rows are all kept, ms since 1970. */
export const rowsKeptFrom = (now: number, logRetentionDays: number) =>
  Math.ceil((now - logRetentionDays * day) / day) * day

/** The range widened to whole quarter hours where it has no rows to count. */
export function countableRange(from: number, to: number, keptFrom: number): { from: number; to: number } {
  return {
    from: from < keptFrom ? Math.floor(from / quarter) * quarter : from,
    to: to < keptFrom ? Math.ceil(to / quarter) * quarter : to,
  }
}

/** Splits a range so that it is counted from rollups, and from rows only for less than a quarter hour at each end. */
export function rangePieces(
  from: number,
  to: number,
  coarsest: 'usage_day' | 'usage_quarter_hour' = 'usage_day',
): RangePiece[] {
  const days = coarsest === 'usage_day' ? inner(from, to, day) : undefined
  const quarters = inner(from, to, quarter)
  if (!quarters) return [{ table: 'request_logs', from, to }]
  const { from: firstDay, to: lastDay } = days ?? { from: quarters.to, to: quarters.to }
  const pieces: RangePiece[] = [
    { table: 'request_logs', from, to: quarters.from },
    { table: 'usage_quarter_hour', from: quarters.from, to: firstDay },
    { table: 'usage_day', from: firstDay, to: lastDay },
    { table: 'usage_quarter_hour', from: lastDay, to: quarters.to },
    { table: 'request_logs', from: quarters.to, to },
  ]
  return pieces.filter((piece) => piece.from < piece.to)
}

/** The whole steps within a range. */
function inner(from: number, to: number, step: number): { from: number; to: number } | undefined {
  const first = Math.ceil(from / step) * step
  const last = Math.floor(to / step) * step
  return first < last ? { from: first, to: last } : undefined
}
