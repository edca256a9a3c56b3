import type { FastifyInstance } from 'fastify'
import pTimeout from 'p-timeout'
import { z } from 'zod'
import type { QueueRedis } from '#core/redis/queue-shards.ts'
import { minute, second } from '#core/units.ts'

const checkTimeoutMs = 2 * second

/** Results are reused for this long. */
const cachedMs = second / 2

export const Needs = z.record(z.string(), z.enum(['ok', 'unavailable']))
export type Needs = z.infer<typeof Needs>

/** A need may have several checks: it is ok when all of them pass. */
export class Readiness {
  readonly #checks: { name: string; check(): Promise<unknown> }[] = []
  #known: Promise<Needs> | undefined
  #knownAt = 0
  isDraining = false

  add(name: string, check: () => Promise<unknown>): void {
    this.#checks.push({ name, check })
  }

  /** Checks a write, because a replica and a full server still respond to a ping. */
  addRedis(name: string, redis: QueueRedis): void {
    this.add(name, () => redis.set(`sallyport:ready:${process.pid}`, '1', 'PX', minute))
  }

  needs(): Promise<Needs> {
    const now = performance.now()
    if (!this.#known || now - this.#knownAt >= cachedMs) {
      this.#known = this.#check()
      this.#knownAt = now
    }
    return this.#known
  }

  async #check(): Promise<Needs> {
    const needs: Needs = {}
    const checking = this.#checks.map(async ({ name, check }) => {
      needs[name] ??= 'ok'
      await pTimeout(check(), { milliseconds: checkTimeoutMs }).catch(() => {
        needs[name] = 'unavailable'
      })
    })
    await Promise.all(checking)
    return needs
  }
}

export function mergeNeeds(all: readonly Needs[]): Needs {
  const merged: Needs = {}
  for (const needs of all) {
    for (const [name, state] of Object.entries(needs)) if (merged[name] !== 'unavailable') merged[name] = state
  }
  return merged
}

/**
 * `/healthz`: the process is alive. `/readyz`: the state of each need, and 503 while one is unavailable.
 * @param readNeeds of this process, or of all that share its port
 */
export function addHealthRoutes(
  app: FastifyInstance,
  readiness: Pick<Readiness, 'isDraining' | 'needs'>,
  readNeeds: () => Promise<Needs> = () => readiness.needs(),
): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const needs = await readNeeds()
    const isReady = Object.values(needs).every((state) => state === 'ok')
    const status = readiness.isDraining ? 'draining' : isReady ? 'ok' : 'unavailable'
    return reply.code(status === 'ok' ? 200 : 503).send({ status, needs })
  })
}
