import type { z } from 'zod'

/** A value that this browser keeps; whatever is not there or not of this form reads as the fallback. */
export function readStored<T extends z.ZodType>(key: string, schema: T, fallback: z.output<T>): z.output<T> {
  try {
    return schema.safeParse(JSON.parse(localStorage.getItem(key) ?? '')).data ?? fallback
  } catch {
    return fallback
  }
}

/** Storage can be full or switched off; then the value lives as long as the page does. */
export function writeStored(key: string, value: unknown) {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Nothing to do about it.
  }
}
