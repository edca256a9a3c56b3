import { z } from 'zod'

/** In the order of the screens. A new name needs a migration of the checks of `accounts.plan` and `orders.plan`. */
export const PlanName = z.enum(['free', 'basic', 'pro', 'enterprise'])
export type PlanName = z.infer<typeof PlanName>
