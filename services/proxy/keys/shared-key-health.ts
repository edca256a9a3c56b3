import { z } from 'zod'
import type { Redis } from '#core/resources.ts'
import { KeyHealth } from './key-health.ts'

const channel = 'sallyport:key-rests'
const RestMessage = z.object({ keyId: z.string(), endpoint: z.string().optional(), untilMs: z.number() })
type RestMessage = z.infer<typeof RestMessage>

/** Key health that all proxies share: what one of them finds out, the others hear at once. */
export function createSharedKeyHealth(redis: Redis, subscriber: Redis): KeyHealth {
  const health = new KeyHealth((rest) => {
    void redis.publish(channel, JSON.stringify(rest)).catch(() => undefined)
  })
  subscriber.on('message', (from, message) => {
    const rest = from === channel ? readRest(message) : undefined
    if (rest) health.learn(rest)
  })
  // It waits for Redis as long as it takes; only a stop ends it.
  subscriber.subscribe(channel).catch(() => undefined)
  return health
}

/** @returns undefined for a message of a version that says it in another way */
function readRest(message: string): RestMessage | undefined {
  try {
    return RestMessage.safeParse(JSON.parse(message)).data
  } catch {
    return undefined
  }
}
