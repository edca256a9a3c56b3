import type { z } from 'zod'

const prefix = 'sallyport:'

/** What one account keeps in this browser under a name; what can't be read counts as not there. */
export function readStored<T extends z.ZodType>(schema: T, accountId: string, name: string): z.output<T> | null {
  try {
    return schema.safeParse(JSON.parse(localStorage.getItem(`${prefix}${accountId}:${name}`) ?? 'null')).data ?? null
  } catch {
    return null
  }
}

export function writeStored(accountId: string, name: string, value: unknown) {
  try {
    localStorage.setItem(`${prefix}${accountId}:${name}`, JSON.stringify(value))
  } catch {
    // Storage can be switched off or full; then nothing is remembered.
  }
}

/** Signing out leaves nothing of any account behind on a shared machine. */
export function forgetStored() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  } catch {
    // Nothing was stored then.
  }
}
