import { type PlanLimitOverrides, type PlanLimits, type PlanName, planTable } from '#schemas/plans.ts'

/** The limits that hold for a plan: the table's, or the operator's. */
export type LimitsOf = (plan: PlanName) => PlanLimits

/** @param overrides `planLimits` of the configuration */
export function createPlanLimits(overrides: PlanLimitOverrides): LimitsOf {
  const table = planTable(overrides)
  return (plan) => table[plan].limits
}
