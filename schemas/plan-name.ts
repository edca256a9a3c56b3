import { z } from 'zod'

/** In display order. A new name requires a migration of the checks of `accounts.plan` and `orders.plan`. */
export const PlanName = z.enum(['free', 'basic', 'pro', 'enterprise'])
export type PlanName = z.infer<typeof PlanName>
