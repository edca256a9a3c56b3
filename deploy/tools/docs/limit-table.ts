import { limitedResources, type LimitedResource, resourceLimits } from '#core/limits/resource-limits.ts'
import { mib } from '#core/units.ts'
import { withTable } from './generated-part.ts'

const meanings: Record<LimitedResource, string> = {
  requests: 'Proxied requests under way.',
  bodyBytes: 'Bytes of request bodies that are kept in memory, and of responses that are buffered.',
  lookups: 'Names of providers that are being resolved.',
  tails: 'Live tails of the request logs.',
  exports: 'Exports of the request logs.',
  queries: 'Reads of request logs, analytics, keys and tokens that run or wait to run.',
  rejectionLogs: 'Rejected requests a minute that are logged one by one; the others are one row with a count.',
  cacheHitLogs: 'The same for requests that the cache has served.',
}

/** Inserts the limits of an account and of a process into deploy/README.md. */
export function withLimitTable(text: string): string {
  const limits = resourceLimits({}, {})
  const rows = limitedResources.map((name) => {
    const { account, process } = limits[name]
    return [`\`${name}\``, amount(name, account), amount(name, process), meanings[name]]
  })
  return withTable(text, 'limits', ['Member', 'An account', 'A process', 'What is counted'], rows)
}

const amount = (name: LimitedResource, count: number) =>
  name === 'bodyBytes' ? `${count} (${count / mib} MiB)` : count.toLocaleString('en')
