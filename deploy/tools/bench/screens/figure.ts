import { z } from 'zod'

/** One figure, measured repeatedly in the browser. */
export const Figure = z.object({
  /** Includes the unit. */
  name: z.string(),
  digits: z.number(),
  /** Absent from baseline figures. */
  goal: z.object({ is: z.enum(['at most', 'at least']), value: z.number() }).optional(),
  values: z.array(z.number()),
})
export type Figure = z.infer<typeof Figure>
