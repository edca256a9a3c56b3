import { z } from 'zod'
import { checkRange, rangeFields } from './time-range.ts'

const count = z.number().int().nonnegative()
const time = z.iso.datetime()
const ms = z.number().nullable()

/** Totals of an account's requests. A success is a status below 400. Source: product.md 7.6. */
export const Stats = z.object({
  totalRequests: count,
  /** Percent, 0 to 100; 0 without requests. */
  successRate: z.number(),
  /** ms; 0 without requests. */
  avgResponseTime: z.number(),
})
export type Stats = z.infer<typeof Stats>

/** All time, or a range. Source: product.md 8.10. */
export const StatsQuery = z.strictObject(rangeFields).superRefine(checkRange)
export type StatsQuery = z.infer<typeof StatsQuery>

const isTimezone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** Without a range: the last 7 days. Without a timezone: the account's. */
export const AnalyticsQuery = z
  .strictObject({
    ...rangeFields,
    timezone: z.string().max(64, { abort: true }).refine(isTimezone, 'There is no such timezone').optional(),
  })
  .superRefine(checkRange)
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>

/** Requests of a group or a span of time. Times ms, money nano-USD; `null`: there is nothing to measure. */
export const Measures = z.object({
  requests: count,
  /** Status 400 and above, or no response at all. */
  errors: count,
  /** Percent; 0 without requests. */
  successRate: z.number(),
  /** Percent of requests that neither the provider nor the gateway failed; 100 without requests. */
  availability: z.number(),
  avgResponseTime: z.number(),
  p50: ms,
  p95: ms,
  p99: ms,
  firstByteP50: ms,
  firstByteP95: ms,
  firstByteP99: ms,
  promptTokens: count,
  completionTokens: count,
  cachedTokens: count,
  costNanoUsd: count,
  /** Requests of unknown cost, which are not in the sum. */
  unpricedRequests: count,
})
export type Measures = z.infer<typeof Measures>

/** `value`: the route, model, status, token id or key id; `null`: none. */
const Part = Measures.omit({ firstByteP50: true, firstByteP95: true, firstByteP99: true, p50: true, p99: true }).extend(
  {
    value: z.string().nullable(),
  },
)
export type AnalyticsPart = z.infer<typeof Part>

/** Steps of time that a series can have. */
export const AnalyticsStep = z.enum(['1m', '5m', '15m', '1h', '6h', '1d'])
export type AnalyticsStep = z.infer<typeof AnalyticsStep>

/** Everything that the Analytics screen draws, Estimated and Measured. */
export const Analytics = z.object({
  from: time,
  to: time,
  timezone: z.string(),
  step: AnalyticsStep,
  /** Older requests are not kept; a range that begins earlier shows what there is. */
  availableFrom: time,
  completeUntil: time.nullable(),
  totals: Measures,
  /** The range of the same length just before this one. */
  previous: Measures,
  /** Only steps with requests. */
  series: z.array(Measures.extend({ at: time })),
  /** Days of the timezone, `2026-11-20`, oldest first; days without requests are left out. */
  daily: z.array(z.object({ date: z.string(), requests: count, errors: count, costNanoUsd: count })),
  /** Hours of the day in the timezone, all 24. */
  hourly: z.array(z.object({ hour: z.number().int().min(0).max(23), requests: count, avgResponseTime: z.number() })),
  /** Requests by response time: `counts[i][j]` of `at[i]` lie below `bounds[j]` ms, the last of a row above all. */
  heatmap: z.object({ at: z.array(time), bounds: z.array(z.number()), counts: z.array(z.array(count)) }),
  /** Each sorted by requests, largest first; at most 100 of each, the rest left out. */
  routes: z.array(Part),
  models: z.array(Part),
  statuses: z.array(Part),
  tokens: z.array(Part),
  keys: z.array(Part),
})
export type Analytics = z.infer<typeof Analytics>
