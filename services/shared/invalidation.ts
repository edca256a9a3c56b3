import type { Logger } from 'pino'
import type { Redis } from '#core/resources.ts'

const channel = 'sallyport:account-changed'

/** Tells all proxies to drop what they cache of an account. */
export type Invalidate = (accountId: string) => Promise<void>

/**
 * A message that can't be sent is only logged: the change itself is done, and every proxy looks again within seconds.
 */
export function createInvalidation(redis: Redis, logger: Logger): Invalidate {
  return async (accountId) => {
    try {
      await redis.publish(channel, accountId)
    } catch (error) {
      logger.warn({ err: error }, 'proxies were not told of a change; their caches expire by themselves')
    }
  }
}

/**
 * Calls back for every account that changed. After a lost connection nobody knows what was missed,
 * so it calls back without an account: forget everything.
 */
export function onInvalidation(redis: Redis, forget: (accountId: string | undefined) => void): void {
  redis.on('message', (from, accountId) => {
    if (from === channel) forget(accountId)
  })
  redis.on('ready', () => forget(undefined))
  // It waits for Redis as long as it takes; only a stop ends it.
  redis.subscribe(channel).catch(() => undefined)
}
