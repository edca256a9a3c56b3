import type { Logger } from './logger.ts'
import { second } from './units.ts'

const everyMs = 10 * second

/** Logs one line every ten seconds, with the number of omitted ones: a lost store fails many calls per second. */
export function occasionalWarning(logger: Logger, message: string): (details: object) => void {
  let nextAt = 0
  let omitted = 0
  return (details) => {
    const now = performance.now()
    if (now < nextAt) {
      omitted += 1
      return
    }
    logger.warn({ ...details, omitted }, message)
    nextAt = now + everyMs
    omitted = 0
  }
}
