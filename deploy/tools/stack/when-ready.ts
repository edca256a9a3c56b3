import type { EventEmitter } from 'node:events'

/**
 * Settles when a connection to Redis can be used. Unlike `once` of Node it goes on past errors: a busy machine may be
 * late with an answer while the client gets ready, and the client then tries again.
 */
export const whenReady = (redis: Pick<EventEmitter, 'once'>): Promise<void> =>
  new Promise((resolve) => redis.once('ready', () => resolve()))
