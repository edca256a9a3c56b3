import { z } from 'zod'

const Violation = z.object({ code: z.string().startsWith('23'), constraint_name: z.string() })

export const violatedConstraint = (error: unknown): string | undefined =>
  Violation.safeParse(error).data?.constraint_name
