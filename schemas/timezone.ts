import { z } from 'zod'

/** A name as ClickHouse spells it. An offset such as `+02:00` would ignore daylight saving time. */
export const Timezone = z
  .string()
  .max(64, { message: 'Unknown timezone', abort: true })
  .refine((name) => canonicalName(name) !== undefined, { message: 'Unknown timezone', abort: true })
  .overwrite((name) => (regularName.test(name) ? name : (canonicalName(name) ?? name)))

/** Such as `Asia/Kolkata`. ClickHouse also knows former names of this form, but no `PST` and no `europe/berlin`. */
const regularName = /^[A-Z][a-z]+(?:\/[A-Z][a-z]+(?:[_-][A-Za-z]+)*)+$/

function canonicalName(name: string): string | undefined {
  // Only ICU has names of System V.
  if (!/^(?!SystemV\/)[A-Z]/i.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
