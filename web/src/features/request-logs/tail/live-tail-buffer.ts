import type { RequestLogSummary } from '#schemas/request-logs.ts'

type TailState = {
  /** Newest first. */
  rows: RequestLogSummary[]
  /** Arrived while paused, newest first. */
  buffered: RequestLogSummary[]
  isPaused: boolean
}

export const tailLimit = 10_000

export const emptyTail: TailState = { rows: [], buffered: [], isPaused: false }

/** Adds logs, oldest first. After a reconnect the server can send some of them again. */
export function addToTail(state: TailState, arrived: readonly RequestLogSummary[]): TailState {
  const fresh = newestFirst(arrived, [state.buffered, state.rows])
  if (fresh.length === 0) return state
  return state.isPaused
    ? { ...state, buffered: [...fresh, ...state.buffered].slice(0, tailLimit) }
    : { ...state, rows: [...fresh, ...state.rows].slice(0, tailLimit) }
}

export function pauseTail(state: TailState, isPaused: boolean): TailState {
  if (isPaused === state.isPaused) return state
  if (isPaused) return { ...state, isPaused }
  return { rows: [...state.buffered, ...state.rows].slice(0, tailLimit), buffered: [], isPaused }
}

function newestFirst(arrived: readonly RequestLogSummary[], known: RequestLogSummary[][]) {
  // Duplicates are near the top, and checking all rows would be too slow.
  const ids = new Set(known.flatMap((rows) => rows.slice(0, 2_000).map((log) => log.id)))
  const fresh: RequestLogSummary[] = []
  for (const log of arrived) {
    if (ids.has(log.id)) continue
    ids.add(log.id)
    fresh.unshift(log)
  }
  return fresh
}
