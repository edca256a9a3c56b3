import { z } from 'zod'
import type { LimitPair } from './shared-limit.ts'
import { mib } from '#core/units.ts'
import { keysOf, mapValues } from '#core/records.ts'

/** Shared resources, and how much of each one account and one process may use. */
const defaults = {
  requests: { account: 1_000, process: 10_000 },
  /** Bytes of request bodies and of buffered responses in memory. */
  bodyBytes: { account: 64 * mib, process: 256 * mib },
  lookups: { account: 8, process: 256 },
  tails: { account: 20, process: 500 },
  exports: { account: 2, process: 50 },
  /** Reads of request logs, analytics, keys and tokens, running or waiting. */
  queries: { account: 64, process: 2_000 },
  /** Rejected requests per minute that are logged individually; the others of a minute share one log with a count. */
  rejectionLogs: { account: 60, process: 6_000 },
  /** For requests that are served from the cache. */
  cacheHitLogs: { account: 1_000, process: 60_000 },
} as const satisfies Record<string, LimitPair>

export type LimitedResource = keyof typeof defaults
export type ResourceLimits = Readonly<Record<LimitedResource, LimitPair>>

export const limitedResources = keysOf(defaults)

/** Overrides for accounts or for the process, such as `{"tails":50}`. */
export const LimitOverrides = z.strictObject(mapValues(defaults, () => z.number().int().min(1).optional()))
export type LimitOverrides = z.infer<typeof LimitOverrides>

export const resourceLimits = (account: LimitOverrides, process: LimitOverrides): ResourceLimits =>
  mapValues(defaults, (byDefault, name) => ({
    account: account[name] ?? byDefault.account,
    process: process[name] ?? byDefault.process,
  }))

export function divideLimits(limits: ResourceLimits, processes: number): ResourceLimits {
  const part = (amount: number) => Math.ceil(amount / processes)
  return mapValues(limits, ({ account, process }) => ({ account: part(account), process: part(process) }))
}
