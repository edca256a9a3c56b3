import { Counter, Gauge, type Registry } from 'prom-client'
import type { Logger } from '#core/logger.ts'
import { type LimitedResource, limitedResources, type ResourceLimits } from './resource-limits.ts'
import { type LimitPair, SharedLimit } from './shared-limit.ts'
import { minute } from '#core/units.ts'

const scopes = ['account', 'process'] as const satisfies (keyof LimitPair)[]

/** What the accounts of this process share. */
export type ProcessLimits = Readonly<Record<LimitedResource, SharedLimit>>

/** Resources of which a part is taken for a time; of the others only a rate is limited. */
const heldResources = limitedResources.filter((name) => !name.endsWith('Logs'))

/** The limits of this process, which tell an operator how near they are. */
export function createProcessLimits(limits: ResourceLimits, registry: Registry): ProcessLimits {
  const entries = limitedResources.map((name): [LimitedResource, SharedLimit] => [name, new SharedLimit(limits[name])])
  const created = Object.fromEntries(entries) as Record<LimitedResource, SharedLimit>
  const labelNames = ['resource', 'scope']
  const used = new Gauge({
    name: 'sallyport_limit_used',
    help: 'What is taken of a resource that accounts share.',
    labelNames: ['resource'],
    registers: [],
    collect() {
      for (const resource of heldResources) this.set({ resource }, created[resource].used)
    },
  })
  const most = new Gauge({
    name: 'sallyport_limit_max',
    help: 'How much of a shared resource one account, and the process, may have.',
    labelNames,
    registers: [],
    collect() {
      for (const resource of limitedResources) {
        for (const scope of scopes) this.set({ resource, scope }, created[resource].limits[scope])
      }
    },
  })
  const rejected = new Counter({
    name: 'sallyport_limit_rejections_total',
    help: 'Requests that found nothing left of a shared resource.',
    labelNames,
    registers: [],
    collect() {
      this.reset()
      for (const resource of heldResources) {
        for (const scope of scopes) this.inc({ resource, scope }, created[resource].rejected[scope])
      }
    },
  })
  for (const metric of [used, most, rejected]) registry.registerMetric(metric)
  return created
}

/** Writes what found nothing left into the log: one line a minute, with a count. @returns how to stop it */
export function logRejections(limits: ProcessLimits, logger: Logger): () => void {
  const told = new Map<LimitedResource, LimitPair>()
  const timer = setInterval(() => {
    for (const resource of heldResources) {
      const rejected = { ...limits[resource].rejected }
      const before = told.get(resource) ?? { account: 0, process: 0 }
      told.set(resource, rejected)
      const [account, process] = [rejected.account - before.account, rejected.process - before.process]
      if (account + process > 0)
        logger.warn({ resource, account, process }, 'requests found nothing left in this minute')
    }
  }, minute).unref()
  return () => clearInterval(timer)
}
