/** `2026-11-20T12:00:00.000Z`. @param ms since 1970 */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

/** `2026-11-20`, UTC. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)

/** `2026-11`, UTC. */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7)

export function dayEndsAtMs(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)
}

export function monthEndsAtMs(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
