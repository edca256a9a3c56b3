import type { z } from 'zod'

/** A value that this browser stores; a missing or invalid one reads as the fallback. */
export function readStored<T extends z.ZodType>(key: string, schema: T, fallback: z.output<T>): z.output<T> {
  try {
    return schema.safeParse(JSON.parse(localStorage.getItem(key) ?? '')).data ?? fallback
  } catch {
    return fallback
  }
}

export function writeStored(key: string, value: unknown) {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage can be full or switched off: the value then lasts only as long as the page.
  }
}

export function forgetOne(key: string) {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage can be switched off; then nothing was stored.
  }
}
