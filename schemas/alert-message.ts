import { z } from 'zod'
import { AlertCondition } from './alerts.ts'

export const AlertEvent = z.enum(['firing', 'resolved', 'test'])
export type AlertEvent = z.infer<typeof AlertEvent>

/** What receivers get: in a mail, or as the data of a webhook's message. */
export const AlertMessage = z.object({
  alert: z.object({ id: z.uuid(), name: z.string() }),
  condition: AlertCondition,
  /** `name`: of a token or key, otherwise the same as `group`; `value`: `null` when it is not known. */
  groups: z.array(z.object({ group: z.string(), name: z.string(), value: z.number().nullable() })),
  at: z.iso.datetime(),
})
export type AlertMessage = z.infer<typeof AlertMessage>
