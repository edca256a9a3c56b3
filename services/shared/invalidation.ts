import type { Logger } from 'pino'
import type { Redis } from '#core/redis/redis.ts'

const channel = 'sallyport:account-changed'

/** Makes all proxies drop what they cache of an account. */
export type Invalidate = (accountId: string) => Promise<void>

/** An error is only logged, because the change is done, and caches expire within seconds. */
export function createInvalidation(redis: Redis, logger: Logger): Invalidate {
  return async (accountId) => {
    try {
      await redis.publish(channel, accountId)
    } catch (error) {
      logger.warn({ err: error }, 'proxies were not notified of a change; their caches expire by themselves')
    }
  }
}

/** @param drop called for each account that changed; without an account after a reconnection, to drop everything */
export function onInvalidation(redis: Redis, drop: (accountId: string | undefined) => void): void {
  redis.on('message', (from, accountId) => {
    if (from === channel) drop(accountId)
  })
  redis.on('ready', () => drop(undefined))
  // Waits for Redis without a timeout, so it fails only on a stop.
  redis.subscribe(channel).catch(() => undefined)
}
