import { z } from 'zod'
import type { ProblemCode } from './problems.ts'

/** RFC 9457 problem details, media type `application/problem+json`. The catalogue of codes and texts stays on the server. */
export const ProblemDetails = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string().transform((code) => code as ProblemCode),
  detail: z.string(),
  instance: z.string().describe("The request id, also in the `x-request-id` header and in the service's log."),
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .describe('One entry for each rejected field.'),
})
export type ProblemDetails = z.infer<typeof ProblemDetails>
