import { z } from 'zod'

export const PlanName = z.enum(['free', 'basic', 'pro', 'enterprise'])
export type PlanName = z.infer<typeof PlanName>

/** Limits of a plan; `null` means unlimited. Days and months are UTC. */
export const PlanLimits = z.strictObject({
  requestsPerDay: z.number().int().positive().nullable(),
  requestsPerMonth: z.number().int().positive().nullable(),
  tokens: z.number().int().positive().nullable(),
})
export type PlanLimits = z.infer<typeof PlanLimits>

/** The one table of plans. Source: specification §9, decisions.md "Enforcement". */
export const plans: Record<PlanName, { label: string; limits: PlanLimits }> = {
  free: { label: 'Free Plan', limits: { requestsPerDay: 5, requestsPerMonth: null, tokens: 1 } },
  basic: { label: 'Basic Plan', limits: { requestsPerDay: null, requestsPerMonth: 10_000, tokens: 5 } },
  pro: { label: 'Pro Plan', limits: { requestsPerDay: null, requestsPerMonth: null, tokens: 10 } },
  enterprise: { label: 'Enterprise Plan', limits: { requestsPerDay: null, requestsPerMonth: null, tokens: null } },
}
