import type { Redis } from '#core/resources.ts'
import { Cooldown, KeyHealth } from './key-health.ts'

const channel = 'sallyport:key-rests'

/** Key health that all proxies share. */
export function createSharedKeyHealth(redis: Redis, subscriber: Redis): KeyHealth {
  const health = new KeyHealth((cooldown) => {
    void redis.publish(channel, JSON.stringify(cooldown)).catch(() => undefined)
  })
  subscriber.on('message', (from, message) => {
    if (from !== channel) return
    try {
      health.learn(Cooldown.parse(JSON.parse(message)))
    } catch {
      // A proxy of another version may use another format.
    }
  })
  // ioredis retries it until the connection is closed.
  subscriber.subscribe(channel).catch(() => undefined)
  return health
}
