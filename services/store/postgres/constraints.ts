import { z } from 'zod'

/** SQL states of class 23 are integrity constraint violations. */
const Violation = z.object({ code: z.string().startsWith('23'), constraint_name: z.string() })

/** The name of the constraint that an error reports. */
export const violatedConstraint = (error: unknown): string | undefined =>
  Violation.safeParse(error).data?.constraint_name
