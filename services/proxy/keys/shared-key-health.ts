import { z } from 'zod'
import type { Redis } from '#core/resources.ts'
import { KeyHealth } from './key-health.ts'

const channel = 'sallyport:key-rests'
const CooldownMessage = z.object({ keyId: z.string(), endpoint: z.string().optional(), untilMs: z.number() })
type CooldownMessage = z.infer<typeof CooldownMessage>

/** Key health that all proxies share: what one of them finds out, the others hear at once. */
export function createSharedKeyHealth(redis: Redis, subscriber: Redis): KeyHealth {
  const health = new KeyHealth((cooldown) => {
    void redis.publish(channel, JSON.stringify(cooldown)).catch(() => undefined)
  })
  subscriber.on('message', (from, message) => {
    const cooldown = from === channel ? readCooldown(message) : undefined
    if (cooldown) health.learn(cooldown)
  })
  // It waits for Redis as long as it takes; only a stop ends it.
  subscriber.subscribe(channel).catch(() => undefined)
  return health
}

/** @returns undefined for a message of a version that says it in another way */
function readCooldown(message: string): CooldownMessage | undefined {
  try {
    return CooldownMessage.safeParse(JSON.parse(message)).data
  } catch {
    return undefined
  }
}
