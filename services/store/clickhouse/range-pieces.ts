import { day, minute } from '#core/units.ts'

const quarter = 15 * minute

/** Part of a time range, and the coarsest table that has it exactly. Ends in ms since 1970; `to` is not in it. */
export interface RangePiece {
  table: 'usage_day' | 'usage_quarter_hour' | 'request_logs'
  from: number
  to: number
}

/**
 * Cuts a range so that counting it reads rollups, and rows only for less than a quarter hour at each end.
 * The pieces are the range, without gap or overlap.
 */
export function rangePieces(from: number, to: number): RangePiece[] {
  const days = inner(from, to, day)
  const quarters = inner(from, to, quarter)
  if (!quarters) return [{ table: 'request_logs', from, to }]
  const pieces: RangePiece[] = [{ table: 'request_logs', from, to: quarters.from }]
  if (days) {
    pieces.push(
      { table: 'usage_quarter_hour', from: quarters.from, to: days.from },
      { table: 'usage_day', ...days },
      { table: 'usage_quarter_hour', from: days.to, to: quarters.to },
    )
  } else {
    pieces.push({ table: 'usage_quarter_hour', ...quarters })
  }
  pieces.push({ table: 'request_logs', from: quarters.to, to })
  return pieces.filter((piece) => piece.from < piece.to)
}

/** The whole steps within a range. */
function inner(from: number, to: number, step: number): { from: number; to: number } | undefined {
  const first = Math.ceil(from / step) * step
  const last = Math.floor(to / step) * step
  return first < last ? { from: first, to: last } : undefined
}
