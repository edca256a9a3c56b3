import { useSyncExternalStore } from 'react'

let zone = 'UTC'
const listeners = new Set<() => void>()

/** IANA name of the zone that all screens show times in. Source: decisions.md, "Screens", preferences. */
export const timeZone = () => zone

export function setTimeZone(next: string) {
  if (next === zone || !isTimeZone(next)) return
  zone = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTimeZone = () => useSyncExternalStore(subscribe, timeZone)

function isTimeZone(name: string) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}
