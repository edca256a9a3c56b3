import type { EventEmitter } from 'node:events'

/**
 * Resolves once a Redis connection can be used. Unlike Node's `once`, it does not reject on an error: on a busy machine
 * the first attempt may time out, and the client then retries.
 */
export const whenReady = (redis: Pick<EventEmitter, 'once'>): Promise<void> =>
  new Promise((resolve) => redis.once('ready', () => resolve()))
