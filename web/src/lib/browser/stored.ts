import type { z } from 'zod'
import { parseJson } from '#schemas/parse-json.ts'

/** Storage can be full or switched off: what it should keep then lasts only as long as the page. */
export function tryStorage<Result>(access: () => Result): Result | undefined {
  try {
    return access()
  } catch {
    return undefined
  }
}

/** A value that this browser stores; a missing or invalid one reads as the fallback. */
export const readStored = <T extends z.ZodType>(key: string, schema: T, fallback: z.output<T>): z.output<T> =>
  schema.safeParse(parseJson(tryStorage(() => localStorage.getItem(key)) ?? '')).data ?? fallback

export const writeStored = (key: string, value: unknown) =>
  tryStorage(() => localStorage.setItem(key, JSON.stringify(value)))

export const forgetOne = (key: string) => tryStorage(() => localStorage.removeItem(key))
