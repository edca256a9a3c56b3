import { codeOf } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { occasionalWarning } from '../occasional-warning.ts'
import type { Redis } from './redis.ts'

/**
 * Logs that a server cannot be reached, but not timeouts of a start: it keeps the event loop so busy that a connection
 * which is there is noticed too late. A server that stays away is logged right after it.
 */
export function warnOfErrors(redis: Redis, name: string, isStarting: () => boolean, logger: Logger): void {
  const warn = occasionalWarning(logger, `${name} cannot be reached`)
  redis.on('error', (error: unknown) => {
    if (codeOf(error) !== 'ETIMEDOUT' || !isStarting()) warn({ err: error })
  })
}
