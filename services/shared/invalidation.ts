import type { Logger } from 'pino'
import type { Redis } from '#core/redis/redis.ts'

const channel = 'sallyport:account-changed'

/** Makes all proxies drop their cached data of an account. */
export type Invalidate = (accountId: string) => Promise<void>

/** Only logs errors, because the change is done and caches expire within seconds. */
export function createInvalidation(redis: Redis, logger: Logger): Invalidate {
  return async (accountId) => {
    try {
      await redis.publish(channel, accountId)
    } catch (error) {
      logger.warn({ err: error }, 'proxies were not notified of a change; their caches expire by themselves')
    }
  }
}

/** @param drop called for each changed account; after a reconnection, called without an account to drop everything */
export function onInvalidation(redis: Redis, drop: (accountId: string | undefined) => void): void {
  redis.on('message', (from, accountId) => {
    if (from === channel) drop(accountId)
  })
  redis.on('ready', () => drop(undefined))
  // Redis is awaited without a timeout, so this fails only on a stop.
  redis.subscribe(channel).catch(() => undefined)
}
