import { type PlanLimitOverrides, type PlanLimits, type PlanName, planTable } from '#schemas/plans.ts'

/** The limits of a plan, with the operator's overrides. */
export type LimitsOf = (plan: PlanName) => PlanLimits

export function createPlanLimits(overrides: PlanLimitOverrides): LimitsOf {
  const table = planTable(overrides)
  return (plan) => table[plan].limits
}
