import { z } from 'zod'
import { Problem } from '#core/problem.ts'
import type { ProblemCode } from '#schemas/problems.ts'

const Violation = z.object({ code: z.string().startsWith('23'), constraint_name: z.string() })

export const violatedConstraint = (error: unknown): string | undefined =>
  Violation.safeParse(error).data?.constraint_name

interface TakenValue {
  code: ProblemCode
  field: string
  message: string
}

export const takenProblem = ({ code, field, message }: TakenValue, cause?: unknown): Problem =>
  new Problem(code, { errors: [{ field, message }], cause })

/**
 * @param taken the taken value, by the constraint that the change violates
 * @throws Problem
 */
export async function rejectTaken<T>(
  taken: Readonly<Record<string, TakenValue>>,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change()
  } catch (error) {
    const value = taken[violatedConstraint(error) ?? '']
    throw value ? takenProblem(value, error) : error
  }
}
