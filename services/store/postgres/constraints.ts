import { z } from 'zod'

/** Class 23 of the SQL states: integrity constraint violation. */
const Violation = z.object({ code: z.string().startsWith('23'), constraint_name: z.string() })

/** Name of the constraint that an insert or update ran into, if that is what the error says. */
export function violatedConstraint(error: unknown): string | undefined {
  return Violation.safeParse(error).data?.constraint_name
}
