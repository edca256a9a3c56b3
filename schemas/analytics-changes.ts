import { z } from 'zod'
import { RequestLogFilters } from './request-logs.ts'
import { Moment } from './time-range.ts'

const count = z.number().int().nonnegative()
const time = z.iso.datetime()

/** The compared measure; `slow`: requests that took longer than the p95 of the baseline. */
export const ChangeMeasure = z.enum(['requests', 'errors', 'slow', 'cost'])
export type ChangeMeasure = z.infer<typeof ChangeMeasure>

/** The baseline ends where the range begins. It is equally long, or a whole day. */
export const ChangeBaseline = z.enum(['equal', 'day'])
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

/** Requests in a time range, and their share of the measure: a number of requests, or nano-USD. */
const Counted = z.object({ requests: count, amount: count })
export type Counted = z.infer<typeof Counted>

const Change = z.object({
  dimension: ChangeDimension,
  /** The key of a tag; `null` for other dimensions. */
  tag: z.string().nullable(),
  /** `null`: requests without one. */
  value: z.string().nullable(),
  now: Counted,
  before: Counted,
  /** The amount to expect now, based on the baseline. */
  expected: z.number().nonnegative(),
  /** Percent of the measure's total. */
  shareNow: z.number(),
  shareBefore: z.number(),
  /** Percent of the total change that this value accounts for; `null`: the total hardly changed. */
  explained: z.number().nullable(),
})
export type Change = z.infer<typeof Change>

/** Differences between a time range and its baseline. */
export const Changes = z.object({
  from: time,
  to: time,
  /** Start of the baseline. */
  beforeFrom: time,
  measure: ChangeMeasure,
  /** Threshold of a slow request, ms; `null` for other measures, or without requests in the baseline. */
  slowAbove: z.number().nullable(),
  now: Counted,
  before: Counted,
  expected: z.number().nonnegative(),
  /** At most 20, ordered by how much they explain. */
  changes: z.array(Change),
})
export type Changes = z.infer<typeof Changes>
