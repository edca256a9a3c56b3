import { z } from 'zod'

/** What the browser measured of one thing, again and again. */
export const Figure = z.object({
  /** With its unit. */
  name: z.string(),
  digits: z.number(),
  /** Without one the figure is there to compare others with. */
  goal: z.object({ is: z.enum(['at most', 'at least']), value: z.number() }).optional(),
  values: z.array(z.number()),
})
export type Figure = z.infer<typeof Figure>
