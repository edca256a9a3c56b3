import { z } from 'zod'

/** Totals of an account's requests. A success is a status below 400. Source: specification §3, "Stats". */
export const Stats = z.object({
  totalRequests: z.number().int().nonnegative(),
  /** Percent, 0 to 100; 0 without requests. */
  successRate: z.number(),
  /** ms; 0 without requests. */
  avgResponseTime: z.number(),
})
export type Stats = z.infer<typeof Stats>
