import { z } from 'zod'
import type { LimitPair } from './shared-limit.ts'
import { mib } from '#core/units.ts'

/** What accounts share, and how much of it one account and one process may have. */
const defaults = {
  /** Proxied requests under way. */
  requests: { account: 1_000, process: 10_000 },
  /** Bytes of request bodies that are kept in memory, and of responses that are held back. */
  bodyBytes: { account: 64 * mib, process: 256 * mib },
  /** Names of providers that are being resolved. */
  lookups: { account: 8, process: 256 },
  /** Live tails of the request logs. */
  tails: { account: 20, process: 500 },
  /** Exports of the request logs. */
  exports: { account: 2, process: 50 },
  /** Reads of request logs and analytics that run or wait to run. */
  queries: { account: 64, process: 2_000 },
  /** Rejected requests that are logged one by one in a minute; the others of that minute are one row with a count. */
  rejectionLogs: { account: 60, process: 6_000 },
  /** The same for requests that the cache has served. */
  cacheHitLogs: { account: 1_000, process: 60_000 },
} as const satisfies Record<string, LimitPair>

export type LimitedResource = keyof typeof defaults
export type ResourceLimits = Readonly<Record<LimitedResource, LimitPair>>

export const limitedResources = Object.keys(defaults) as LimitedResource[]

/** Overrides of one column of the table, such as `{"tails":50}`. */
export const LimitOverrides = z.strictObject(
  Object.fromEntries(limitedResources.map((name) => [name, z.number().int().min(1).optional()])) as Record<
    LimitedResource,
    z.ZodOptional<z.ZodNumber>
  >,
)
export type LimitOverrides = z.infer<typeof LimitOverrides>

/** The table with what an operator changed. */
export function resourceLimits(account: LimitOverrides, process: LimitOverrides): ResourceLimits {
  const entries = limitedResources.map((name): [LimitedResource, LimitPair] => [
    name,
    { account: account[name] ?? defaults[name].account, process: process[name] ?? defaults[name].process },
  ])
  return Object.fromEntries(entries) as Record<LimitedResource, LimitPair>
}

/** A part of each limit, for one of several processes that share a machine. */
export function divideLimits(limits: ResourceLimits, processes: number): ResourceLimits {
  const part = (amount: number) => Math.ceil(amount / processes)
  const entries = limitedResources.map((name): [LimitedResource, LimitPair] => [
    name,
    { account: part(limits[name].account), process: part(limits[name].process) },
  ])
  return Object.fromEntries(entries) as Record<LimitedResource, LimitPair>
}
