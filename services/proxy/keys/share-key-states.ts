import { z } from 'zod'
import { CircuitBreaker } from '#core/redis/circuit-breaker.ts'
import type { Redis } from '#core/redis/redis.ts'
import { second } from '#core/units.ts'
import { createKeyStateStore, ObservedLimits } from '#store/redis/key-states.ts'
import type { KeyHealth } from './key-health.ts'

const channel = 'sallyport:key-limits'
const shareMs = 2 * second

const SharedLimits = z.array(z.object({ accountId: z.string(), keyId: z.string(), limits: ObservedLimits }))

/** Tells other proxies and the API what this process knows about keys, away from the requests. @returns how to stop */
export function shareKeyStates(health: KeyHealth, redis: Redis, subscriber: Redis): () => Promise<void> {
  const states = createKeyStateStore(redis)
  const breaker = new CircuitBreaker()

  async function share(): Promise<void> {
    if (breaker.isOpen) return
    const limits = health.limits.takeChanges()
    const spread = limits.filter(({ isSpread }) => isSpread)
    const changes = [
      ...limits.map(({ accountId, keyId, limits: left }) => ({ accountId, keyId, limits: left })),
      ...health.takeReports(),
    ]
    if (changes.length === 0) return
    try {
      if (spread.length > 0) await redis.publish(channel, JSON.stringify(spread))
      await states.save(changes)
    } catch {
      breaker.open()
    }
  }

  subscriber.on('message', (from, message) => {
    if (from !== channel) return
    try {
      for (const change of SharedLimits.parse(JSON.parse(message))) health.limits.learn(change)
    } catch {
      // A proxy of another version may use another format.
    }
  })
  // ioredis retries it until the connection is closed.
  subscriber.subscribe(channel).catch(() => undefined)
  const timer = setInterval(() => void share(), shareMs).unref()
  return async () => {
    clearInterval(timer)
    await share()
  }
}
