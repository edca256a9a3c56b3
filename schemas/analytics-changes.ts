import { z } from 'zod'
import { RequestLogFilters } from './request-logs.ts'
import { Moment } from './time-range.ts'

const count = z.number().int().nonnegative()
const time = z.iso.datetime()

/** What is compared; `slow`: requests that took longer than the p95 of the time before. */
export const ChangeMeasure = z.enum(['requests', 'errors', 'slow', 'cost'])
export type ChangeMeasure = z.infer<typeof ChangeMeasure>

/** The time before: an equally long one, or a whole day. */
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

/** Requests of a stretch of time, and how much of the measure they are: their number, or nano-USD. */
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
  /** What the time before lets expect for now. */
  expected: z.number().nonnegative(),
  /** Percent of the whole measure. */
  shareNow: z.number(),
  shareBefore: z.number(),
  /** Percent of the whole change that this value accounts for; `null`: the whole hardly changed. */
  explained: z.number().nullable(),
})
export type Change = z.infer<typeof Change>

/** What differs between a stretch of time and the one before it. */
export const Changes = z.object({
  from: time,
  to: time,
  /** The time before ends at `from`. */
  beforeFrom: time,
  measure: ChangeMeasure,
  /** ms that a slow request takes longer than; `null` for other measures, or without requests before. */
  slowAbove: z.number().nullable(),
  now: Counted,
  before: Counted,
  expected: z.number().nonnegative(),
  /** At most 20, the one that explains most first. */
  changes: z.array(Change),
})
export type Changes = z.infer<typeof Changes>
