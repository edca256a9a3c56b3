import { once } from 'node:events'
import type { Config } from '#core/config.ts'
import { StartupProblem } from '#core/process/startup.ts'
import { openQueueProducer, openQueueShards } from '#core/redis/connections.ts'
import { second } from '#core/units.ts'

/** All shards of the queue, for a command. @throws StartupProblem if a server does not respond within seconds */
export async function connectQueue(config: Pick<Config, 'redisQueueUrls' | 'queueShards' | 'queueReplicas'>) {
  const shards = openQueueShards(config, openQueueProducer)
  const servers = [...new Set(shards.map(({ redis }) => redis))]
  const disconnect = () => {
    for (const redis of servers) redis.disconnect()
  }
  const ready = servers.map((redis) => {
    redis.on('error', () => undefined)
    return once(redis, 'ready', { signal: AbortSignal.timeout(5 * second) })
  })
  try {
    await Promise.all(ready)
  } catch (error) {
    disconnect()
    throw new StartupProblem('The queue cannot be reached; check REDIS_QUEUE_URL.', { cause: error })
  }
  return { shards, disconnect }
}
