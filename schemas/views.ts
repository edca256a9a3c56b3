import { z } from 'zod'
import { requiredName } from './plain-text.ts'

const maxCharacters = 8_192

const scalar = z.union([z.string(), z.number(), z.boolean()])
/** Flat, because nested values could overflow a parser's stack. */
const parameter = z.union([scalar, z.array(scalar), z.record(z.string(), scalar)])

/** Screens parse these like the parameters of a link, because an earlier version may have saved them. */
const search = z
  .record(z.string().max(40), parameter)
  .refine((value) => JSON.stringify(value).length <= maxCharacters, 'This view has too many filters')
  .describe('Parameters in the URL of the screen.')

/** A saved state of a screen. Source: product.md 8.14. */
export const NewView = z.object({
  screen: z.enum(['request-logs', 'analytics']),
  name: requiredName('Name', 60, 'Please enter a name'),
  search,
})
export type NewView = z.infer<typeof NewView>

export const ChangeView = NewView.omit({ screen: true })
export type ChangeView = z.infer<typeof ChangeView>

export const View = NewView.extend({ id: z.uuid() })
export type View = z.infer<typeof View>
