import type { FastifyInstance } from 'fastify'
import pTimeout from 'p-timeout'
import type { QueueRedis } from '#core/redis/queue-shards.ts'
import { minute, second } from '#core/units.ts'

const checkTimeoutMs = 2 * second

/** However often somebody asks, the stores are asked this often. */
const freshMs = second / 2

type Check = () => Promise<unknown>

/** What a process needs, by name, and whether that is there. */
export type Needs = Record<string, 'ok' | 'unavailable'>

/** What the roles of a process need of others. A name may have several checks: it is there when all of them pass. */
export class Readiness {
  readonly #checks: { name: string; check: Check }[] = []
  #known: Promise<Needs> | undefined
  #knownAt = 0
  /** A process that stops takes no more requests, whatever it has. */
  isDraining = false

  add(name: string, check: Check): void {
    this.#checks.push({ name, check })
  }

  /** A write, because a server that has become a replica, or is full, still answers a ping. */
  addRedis(name: string, redis: QueueRedis): void {
    this.add(name, () => redis.set(`sallyport:ready:${process.pid}`, '1', 'PX', minute))
  }

  needs(): Promise<Needs> {
    const now = performance.now()
    if (!this.#known || now - this.#knownAt >= freshMs) {
      this.#known = this.#check()
      this.#knownAt = now
    }
    return this.#known
  }

  async #check(): Promise<Needs> {
    const needs: Needs = {}
    const checking = this.#checks.map(async ({ name, check }) => {
      needs[name] ??= 'ok'
      const passed = await pTimeout(check(), { milliseconds: checkTimeoutMs }).then(
        () => true,
        () => false,
      )
      if (!passed) needs[name] = 'unavailable'
    })
    await Promise.all(checking)
    return needs
  }
}

/** The needs of several processes: what one of them lacks is lacking. */
export function mergeNeeds(all: readonly Needs[]): Needs {
  const merged: Needs = {}
  for (const needs of all) {
    for (const [name, state] of Object.entries(needs)) if (merged[name] !== 'unavailable') merged[name] = state
  }
  return merged
}

/**
 * `/healthz`: the process answers. `/readyz`: each thing that it needs, by name, and 503 while one of them is away.
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
