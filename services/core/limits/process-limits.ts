import { Counter, type Registry } from 'prom-client'
import type { Logger } from '#core/logger.ts'
import { addScraped, type Sample } from '#core/metrics.ts'
import { type LimitedResource, limitedResources, type ResourceLimits } from './resource-limits.ts'
import { type LimitPair, SharedLimit } from './shared-limit.ts'
import { minute } from '#core/units.ts'
import { mapValues } from '#core/records.ts'

const scopes = ['account', 'process'] as const satisfies (keyof LimitPair)[]

export type ProcessLimits = Readonly<Record<LimitedResource, SharedLimit>>

/** Resources that are acquired and released; the others are only limited by rate. */
const acquiredResources = limitedResources.filter((name) => !name.endsWith('Logs'))

export function createProcessLimits(limits: ResourceLimits, registry: Registry): ProcessLimits {
  const created = mapValues(limits, (pair) => new SharedLimit(pair))
  const labelNames = ['resource', 'scope']
  const byScope = (resources: readonly LimitedResource[], read: (limit: SharedLimit) => LimitPair) =>
    resources.flatMap((resource) =>
      scopes.map((scope): Sample => [{ resource, scope }, read(created[resource])[scope]]),
    )
  addScraped(registry, {
    name: 'sallyport_limit_used',
    help: 'Amount in use of a resource that accounts share.',
    labelNames: ['resource'],
    read: () => acquiredResources.map((resource) => [{ resource }, created[resource].used]),
  })
  addScraped(registry, {
    name: 'sallyport_limit_max',
    help: 'Limits of a shared resource for one account and for the process.',
    labelNames,
    read: () => byScope(limitedResources, (limit) => limit.limits),
  })
  addScraped(registry, {
    name: 'sallyport_limit_rejections_total',
    help: 'Requests rejected because a shared resource was used up.',
    Type: Counter,
    labelNames,
    read: () => byScope(acquiredResources, ({ rejected }) => rejected),
  })
  return created
}

/** Logs the number of rejections once a minute. @returns a function that stops it */
export function logRejections(limits: ProcessLimits, logger: Logger): () => void {
  const reported = new Map<LimitedResource, LimitPair>()
  const timer = setInterval(() => {
    for (const resource of acquiredResources) {
      const rejected = { ...limits[resource].rejected }
      const last = reported.get(resource) ?? { account: 0, process: 0 }
      reported.set(resource, rejected)
      const [account, process] = [rejected.account - last.account, rejected.process - last.process]
      if (account + process > 0)
        logger.warn({ resource, account, process }, 'requests were rejected by a limit in the last minute')
    }
  }, minute).unref()
  return () => clearInterval(timer)
}
