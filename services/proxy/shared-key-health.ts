import { z } from 'zod'
import type { Redis } from '#core/resources.ts'
import { KeyHealth } from './key-health.ts'

const channel = 'sallyport:key-rests'
const Rest = z.object({ keyId: z.string(), untilMs: z.number() })

/** Key health that all proxies share: what one of them finds out, the others hear at once. */
export function createSharedKeyHealth(redis: Redis, subscriber: Redis): KeyHealth {
  const health = new KeyHealth((keyId, untilMs) => {
    void redis.publish(channel, JSON.stringify({ keyId, untilMs })).catch(() => undefined)
  })
  subscriber.on('message', (from, message) => {
    if (from !== channel) return
    const { keyId, untilMs } = Rest.parse(JSON.parse(message))
    health.learn(keyId, untilMs)
  })
  void subscriber.subscribe(channel)
  return health
}
