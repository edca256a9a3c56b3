import { z } from 'zod'
import { AlertCondition } from './alerts.ts'

export const AlertEvent = z.enum(['firing', 'resolved', 'test'])
export type AlertEvent = z.infer<typeof AlertEvent>

/** The content of a mail, and the data of a webhook's message. */
export const AlertMessage = z.object({
  alert: z.object({ id: z.uuid(), name: z.string() }),
  condition: AlertCondition,
  groups: z
    .array(z.object({ group: z.string(), name: z.string(), value: z.number().nullable() }))
    .describe('`name`: that of the token or key, otherwise the same as `group`; `value`: `null` if unknown.'),
  filters: z
    .array(z.string())
    .default([])
    .describe("The condition's filters in words, with the names of tokens and keys."),
  at: z.iso.datetime(),
})
export type AlertMessage = z.infer<typeof AlertMessage>
