import { z } from 'zod'
import { count } from './numbers.ts'

const time = z.iso.datetime()

/** Requests over time, in at most 120 steps aligned to whole hours or days of the timezone. Source: product.md 8.16. */
export const LogHistogram = z.object({
  from: time.describe('The first and the last step are cut to the range.'),
  to: time,
  timezone: z.string(),
  steps: z.array(z.object({ at: time, requests: count, errors: count })),
})
export type LogHistogram = z.infer<typeof LogHistogram>
