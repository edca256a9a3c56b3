import { z } from 'zod'
import type { LimitPair } from './shared-limit.ts'
import { mib } from '#core/units.ts'
import { keysOf, mapValues } from '#core/records.ts'

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

export const limitedResources = keysOf(defaults)

/** Overrides of one column of the table, such as `{"tails":50}`. */
export const LimitOverrides = z.strictObject(mapValues(defaults, () => z.number().int().min(1).optional()))
export type LimitOverrides = z.infer<typeof LimitOverrides>

/** The defaults with an operator's overrides. */
export const resourceLimits = (account: LimitOverrides, process: LimitOverrides): ResourceLimits =>
  mapValues(defaults, (byDefault, name) => ({
    account: account[name] ?? byDefault.account,
    process: process[name] ?? byDefault.process,
  }))

/** A part of each limit, for one of several processes that share a machine. */
export function divideLimits(limits: ResourceLimits, processes: number): ResourceLimits {
  const part = (amount: number) => Math.ceil(amount / processes)
  return mapValues(limits, ({ account, process }) => ({ account: part(account), process: part(process) }))
}
