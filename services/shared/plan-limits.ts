import type { PlanName } from '#schemas/plan-name.ts'
import { type PlanLimitOverrides, type PlanLimits, planTable } from '#schemas/plans.ts'

/** The limits of a plan, with the operator's overrides. */
export type LimitsOf = (plan: PlanName) => PlanLimits

export function createPlanLimits(overrides: PlanLimitOverrides): LimitsOf {
  const table = planTable(overrides)
  return (plan) => table[plan].limits
}
