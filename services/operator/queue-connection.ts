import { once } from 'node:events'
import { readConfig } from '#core/config.ts'
import { openQueueProducer, type Redis } from '#core/resources.ts'
import { second } from '#core/units.ts'
import { CommandError } from './command-error.ts'

/** The queue's Redis for one command. @throws CommandError when it can't be reached within 5 s */
export async function connectQueue(): Promise<Redis> {
  const redis = openQueueProducer(readConfig())
  redis.on('error', () => undefined)
  try {
    await once(redis, 'ready', { signal: AbortSignal.timeout(5 * second) })
  } catch (error) {
    redis.disconnect()
    throw new CommandError('The queue can not be reached; check REDIS_QUEUE_URL.', { cause: error })
  }
  return redis
}
