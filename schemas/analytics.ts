import { z } from 'zod'
import { groupings } from './log-names.ts'
import { count, sum } from './numbers.ts'
import { RequestLogFilters, TagField } from './request-logs.ts'
import { checkRange, rangeFields } from './time-range.ts'
import { Timezone } from './timezone.ts'

const time = z.iso.datetime()
const ms = z.number().nullable().describe('ms; `null`: nothing to measure.')

/** Totals of an account's requests. A success is a status below 400. Source: product.md 7.6. */
export const Stats = z.object({
  totalRequests: count,
  successRate: z.number().describe('Percent, 0 to 100; 0 without requests.'),
  avgResponseTime: z.number().describe('ms; 0 without requests.'),
  availableFrom: time.optional().describe('Only with a range: older requests are no longer counted.'),
})
export type Stats = z.infer<typeof Stats>

/** Without a range: all time. Source: product.md 8.10. */
export const StatsQuery = z.strictObject(rangeFields).superRefine(checkRange)

/** The filters of the logs. Without a range: the last 7 days. Without a timezone: the account's. */
export const AnalyticsQuery = RequestLogFilters.safeExtend({ timezone: Timezone.optional() })

export const GroupBy = z.union(
  [z.enum(groupings), TagField],
  'Expected model, token, key, endpoint, status, outcome, errorCode or a tag such as tag:customer',
)
export type GroupBy = z.infer<typeof GroupBy>

export const AnalyticsGroupsQuery = AnalyticsQuery.safeExtend({ groupBy: GroupBy })

/** Metrics of a group of requests. */
export const Measures = z.object({
  requests: count,
  errors: count.describe('Status 400 and above, or no response at all.'),
  successRate: z.number().describe('Percent; 0 without requests.'),
  availability: z
    .number()
    .describe('Percent of requests without a failure of the provider or the gateway; 100 without requests.'),
  avgResponseTime: z.number().describe('ms; 0 without requests.'),
  p50: ms,
  p95: ms,
  p99: ms,
  firstByteP50: ms,
  firstByteP95: ms,
  firstByteP99: ms,
  promptTokens: sum,
  completionTokens: sum,
  cachedTokens: sum.describe('Part of `promptTokens` that providers read from their caches.'),
  costNanoUsd: sum.nullable().describe('Billionths of a US dollar; `null`: no request has a known cost.'),
  unpricedRequests: count.describe('Requests without a known cost, which the sum omits.'),
  cacheHits: count.describe('Served from the cache.'),
  retried: count.describe('Sent to the provider more than once.'),
  failedOver: count.describe('Retried with another key.'),
  aborted: count.describe('The client disconnected early.'),
  broken: count.describe('The provider or the gateway ended the response early.'),
  tokensPerSecond: z.number().nullable().describe('Completion tokens per second, for requests that have any.'),
  avgFirstByte: ms,
})
export type Measures = z.infer<typeof Measures>

/** How many values of a property are listed. */
export const partsListed = 100

const Part = z.object({
  ...Measures.omit({ p50: true, p99: true, firstByteP50: true, firstByteP95: true, firstByteP99: true }).shape,
  value: z.string().nullable().describe('The route, model, status, token id or key id; `null`: none.'),
})
export type AnalyticsPart = z.infer<typeof Part>

export const AnalyticsStep = z.enum(['1m', '5m', '15m', '1h', '6h', '1d']).describe('Interval of the time series.')
export type AnalyticsStep = z.infer<typeof AnalyticsStep>

const rangeOfNumbers = {
  from: time,
  to: time,
  timezone: z.string(),
  step: AnalyticsStep,
  availableFrom: time.describe('Older requests are no longer stored; an earlier range covers only the rest.'),
  timesAvailableFrom: time.describe(
    'Percentiles and the heatmap cover no older requests: with filters, they come from individual requests.',
  ),
  completeUntil: time.nullable().describe('Every request that ended before this time is counted; `null`: unknown.'),
  source: z
    .enum(['rollups', 'rows'])
    .describe('`rows`: no rollup supports these filters or groups, so each request was read.'),
}

/** Everything that the Analytics screen shows, estimated and measured. */
export const Analytics = z.object({
  ...rangeOfNumbers,
  totals: Measures,
  previous: Measures.describe(
    'Totals of the equally long range just before this one; without requests if that is no longer stored as a whole.',
  ),
  series: z.array(Measures.extend({ at: time })).describe('Intervals without requests are left out.'),
  daily: z
    .array(z.object({ date: z.string(), requests: count, errors: count, costNanoUsd: Measures.shape.costNanoUsd }))
    .describe('Days in the timezone, `2026-11-20`, oldest first; days without requests are left out.'),
  hourly: z
    .array(
      z.object({
        hour: z.number().int().min(0).max(23),
        requests: count,
        avgResponseTime: Measures.shape.avgResponseTime,
      }),
    )
    .describe('All 24 hours of the day in the timezone.'),
  heatmap: z
    .object({ at: z.array(time), bounds: z.array(z.number()), counts: z.array(z.array(count)) })
    .describe(
      '`counts[i][j]`: requests at `at[i]` that took less than `bounds[j]` ms; the last of each row took longer.',
    ),
  routes: z.array(Part).describe(`The top ${partsListed} of each by requests, most first.`),
  models: z.array(Part),
  statuses: z.array(Part),
  tokens: z.array(Part),
  keys: z.array(Part),
})
export type Analytics = z.infer<typeof Analytics>

const groupSeries = z.array(Measures.extend({ at: time }))

/** Requests by one of their properties. First-byte percentiles are `null` unless requests were read individually. */
export const AnalyticsGroups = z.object({
  ...rangeOfNumbers,
  groupBy: GroupBy,
  groups: z
    .array(Measures.extend({ value: z.string().nullable(), series: groupSeries.nullable() }))
    .describe(
      'The top 20 by requests, most first. `value`: `null` for requests without one; `series`: only for the top 6.',
    ),
  others: Measures.nullable().describe('All requests beyond the top 20; `null`: none.'),
  otherSeries: groupSeries.describe('All requests beyond the top 6. Intervals without requests are left out.'),
})
export type AnalyticsGroups = z.infer<typeof AnalyticsGroups>
