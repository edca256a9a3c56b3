import { z } from 'zod'
import { CircuitBreaker } from '#core/redis/circuit-breaker.ts'
import type { Redis } from '#core/redis/redis.ts'
import { second } from '#core/units.ts'
import { createKeyStateStore, ObservedLimits } from '#store/redis/key-states.ts'
import { Cooldown, KeyHealth } from './key-health.ts'

const cooldownChannel = 'sallyport:key-rests'
const limitChannel = 'sallyport:key-limits'
const shareMs = 2 * second

const SharedLimits = z.array(z.object({ accountId: z.string(), keyId: z.string(), limits: ObservedLimits }))

/** Shares key states with the other proxies and the API, without delaying requests. */
export function shareKeyHealth(redis: Redis, subscriber: Redis) {
  const health = new KeyHealth((cooldown) => {
    void redis.publish(cooldownChannel, JSON.stringify(cooldown)).catch(() => undefined)
  })
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
      if (spread.length > 0) await redis.publish(limitChannel, JSON.stringify(spread))
      await states.save(changes)
    } catch {
      breaker.open()
    }
  }

  subscriber.on('message', (channel, message) => {
    try {
      if (channel === cooldownChannel) health.learn(Cooldown.parse(JSON.parse(message)))
      if (channel !== limitChannel) return
      for (const change of SharedLimits.parse(JSON.parse(message))) health.limits.learn(change)
    } catch {
      // A proxy of another version may use another format.
    }
  })
  // ioredis retries it until the connection is closed.
  subscriber.subscribe(cooldownChannel, limitChannel).catch(() => undefined)
  const timer = setInterval(() => void share(), shareMs).unref()
  return {
    health,
    async stop(): Promise<void> {
      clearInterval(timer)
      await share()
    },
  }
}
