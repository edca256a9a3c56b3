import { second } from '#core/units.ts'
import { clusterSlot } from './cluster-slot.ts'
import type { Redis } from './redis.ts'

const cooldownMs = second

/** Skips a store briefly after it failed to respond, so that requests do not wait for it one after the other. */
export class CircuitBreaker {
  /** As `performance.now()`, because the clock may be set back. */
  #openUntil = 0

  get isOpen(): boolean {
    return performance.now() < this.#openUntil
  }

  open(): void {
    this.#openUntil = performance.now() + cooldownMs
  }
}

/** One circuit breaker per node of a Redis Cluster: while a node is down, the others still respond. */
export class NodeCircuitBreakers {
  readonly #redis: Redis
  readonly #byNode = new Map<string | undefined, CircuitBreaker>()

  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** @param key in Redis, or its hash tag */
  of(key: string): CircuitBreaker {
    const node = 'slots' in this.#redis ? this.#redis.slots[clusterSlot(key)]?.[0] : undefined
    let breaker = this.#byNode.get(node)
    if (!breaker) {
      breaker = new CircuitBreaker()
      this.#byNode.set(node, breaker)
    }
    return breaker
  }
}
