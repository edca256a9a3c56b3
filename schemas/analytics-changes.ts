import { z } from 'zod'
import { count, sum } from './numbers.ts'
import { RequestLogFilters } from './request-logs.ts'
import { Moment } from './time-range.ts'

const time = z.iso.datetime()

export const ChangeMeasure = z
  .enum(['requests', 'errors', 'slow', 'cost'])
  .describe('`slow`: requests that took longer than the p95 of the baseline.')
export type ChangeMeasure = z.infer<typeof ChangeMeasure>

export const ChangeBaseline = z
  .enum(['equal', 'day'])
  .describe('The baseline ends where the range begins. It is equally long, or a whole day.')
export type ChangeBaseline = z.infer<typeof ChangeBaseline>

/** Source: product.md 11.12. */
export const ChangesQuery = RequestLogFilters.safeExtend({
  from: Moment,
  to: Moment,
  measure: ChangeMeasure.default('requests'),
  against: ChangeBaseline.default('equal'),
})
export type ChangesQuery = z.infer<typeof ChangesQuery>

export const ChangeDimension = z.enum(['model', 'endpoint', 'token', 'key', 'tag', 'status', 'errorCode', 'outcome'])
export type ChangeDimension = z.infer<typeof ChangeDimension>

/** Requests in a time range, and their share of the measure. */
const Counted = z.object({
  requests: count,
  amount: sum.describe('Number of requests, or billionths of a US dollar for `cost`.'),
})
export type Counted = z.infer<typeof Counted>

const Change = z.object({
  dimension: ChangeDimension,
  tag: z.string().nullable().describe('The key of a tag; `null` for other dimensions.'),
  value: z.string().nullable().describe('`null`: requests without one.'),
  now: Counted,
  before: Counted,
  expected: z.number().nonnegative().describe('The amount to expect now, based on the baseline.'),
  shareNow: z.number().describe("Percent of the measure's total."),
  shareBefore: z.number().describe('Percent of its total in the baseline.'),
  explained: z
    .number()
    .nullable()
    .describe('Percent of the total change that this value accounts for; `null`: the total hardly changed.'),
})
export type Change = z.infer<typeof Change>

/** Differences between a time range and its baseline. */
export const Changes = z.object({
  from: time,
  to: time,
  beforeFrom: time.describe('Start of the baseline.'),
  availableFrom: time.describe('Older requests are no longer stored; an earlier range covers only the rest.'),
  measure: ChangeMeasure,
  slowAbove: z
    .number()
    .nullable()
    .describe('Threshold of a slow request, ms; `null` for other measures, or without requests in the baseline.'),
  now: Counted,
  before: Counted,
  expected: z.number().nonnegative(),
  changes: z.array(Change).describe('At most 20, ordered by how much they explain.'),
})
export type Changes = z.infer<typeof Changes>
