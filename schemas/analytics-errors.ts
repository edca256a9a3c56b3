import { z } from 'zod'
import { count } from './numbers.ts'

const time = z.iso.datetime()

/** Intervals of an error's sparkline. */
export const errorIntervals = 24

/** Failed requests with the same error code (or the same status without one) and message pattern. */
export const ErrorGroup = z.object({
  errorCode: z.string().nullable().describe('`null`: neither the provider nor the gateway gave one.'),
  status: z.number().int().describe('The most frequent status of the group.'),
  pattern: z
    .string()
    .describe('The message with `<…>` in place of variable parts such as numbers and ids; empty without a message.'),
  example: z.string().describe('One of the messages, shortened.'),
  errors: count,
  firstSeen: time.describe('Within the range or the equally long one before it.'),
  lastSeen: time,
  isNew: z
    .boolean()
    .nullable()
    .describe('Whether it did not occur in the equally long range before; `null`: that range is no longer stored.'),
  series: z.array(count).length(errorIntervals).describe('Errors in each 24th of the range.'),
})
export type ErrorGroup = z.infer<typeof ErrorGroup>

/** Why requests of a range failed. Source: product.md 11.11. */
export const ErrorGroups = z.object({
  from: time,
  to: time,
  availableFrom: time.describe('Older requests are no longer stored; an earlier range covers only the rest.'),
  errors: count,
  groups: z.array(ErrorGroup).describe('The 50 most frequent groups.'),
  others: z.object({ groups: count, errors: count }).describe('All other groups.'),
  isComplete: z.boolean().describe('`false`: there were too many different messages to count all of them.'),
})
export type ErrorGroups = z.infer<typeof ErrorGroups>
