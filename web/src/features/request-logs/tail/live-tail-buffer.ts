import type { RequestLogSummary } from '#schemas/request-logs.ts'

export type TailState = {
  /** Newest first. */
  rows: RequestLogSummary[]
  /** What came while the list was held still, newest first. */
  held: RequestLogSummary[]
  isHeld: boolean
}

/** Rows that a tail keeps. */
export const tailLimit = 10_000

export const emptyTail: TailState = { rows: [], held: [], isHeld: false }

/** Adds what came, in the order in which it came. After a reconnect the server may repeat itself. */
export function addToTail(state: TailState, arrived: readonly RequestLogSummary[]): TailState {
  const fresh = newestFirst(arrived, [state.held, state.rows])
  if (fresh.length === 0) return state
  return state.isHeld
    ? { ...state, held: [...fresh, ...state.held].slice(0, tailLimit) }
    : { ...state, rows: [...fresh, ...state.rows].slice(0, tailLimit) }
}

export function holdTail(state: TailState, isHeld: boolean): TailState {
  if (isHeld === state.isHeld) return state
  if (isHeld) return { ...state, isHeld }
  return { rows: [...state.held, ...state.rows].slice(0, tailLimit), held: [], isHeld }
}

function newestFirst(arrived: readonly RequestLogSummary[], known: RequestLogSummary[][]) {
  // A repetition lies near the top; looking through all rows for each arrival would cost too much.
  const ids = new Set(known.flatMap((rows) => rows.slice(0, 2_000).map((log) => log.id)))
  const fresh: RequestLogSummary[] = []
  for (const log of arrived) {
    if (ids.has(log.id)) continue
    ids.add(log.id)
    fresh.unshift(log)
  }
  return fresh
}
