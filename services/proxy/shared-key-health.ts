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
    const rest = readRest(message)
    if (rest) health.learn(rest.keyId, rest.untilMs)
  })
  // It waits for Redis as long as it takes; only a stop ends it.
  subscriber.subscribe(channel).catch(() => undefined)
  return health
}

/** @returns undefined for a message of a version that says it in another way */
function readRest(message: string): z.infer<typeof Rest> | undefined {
  try {
    return Rest.safeParse(JSON.parse(message)).data
  } catch {
    return undefined
  }
}
