import { z } from 'zod'

/** A name, because an offset such as `+02:00` would ignore daylight saving time. */
export const Timezone = z
  .string()
  .max(64, { message: 'Unknown timezone', abort: true })
  .refine(isTimezone, 'Unknown timezone')

function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
