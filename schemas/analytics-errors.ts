import { z } from 'zod'

const count = z.number().int().nonnegative()
const time = z.iso.datetime()

/** Intervals of an error's sparkline. */
export const errorIntervals = 24

/** Failed requests with the same error code (or the same status without one) and message pattern. */
export const ErrorGroup = z.object({
  /** `null`: neither the provider nor the gateway gave one. */
  errorCode: z.string().nullable(),
  /** The most frequent status of the group. */
  status: z.number().int(),
  /** The message with `<…>` in place of variable parts such as numbers and ids; empty without a message. */
  pattern: z.string(),
  /** One of the messages, shortened. */
  example: z.string(),
  errors: count,
  /** Within the range or the equally long one before it. */
  firstSeen: time,
  lastSeen: time,
  /** Whether it did not occur in the equally long range before; `null`: that range is no longer stored. */
  isNew: z.boolean().nullable(),
  /** Errors in each 24th of the range. */
  series: z.array(count).length(errorIntervals),
})
export type ErrorGroup = z.infer<typeof ErrorGroup>

/** Why requests of a range failed. Source: product.md 11.11. */
export const ErrorGroups = z.object({
  from: time,
  to: time,
  errors: count,
  /** The 50 most frequent groups. */
  groups: z.array(ErrorGroup),
  /** All other groups. */
  others: z.object({ groups: count, errors: count }),
})
export type ErrorGroups = z.infer<typeof ErrorGroups>
