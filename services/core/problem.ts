import type { ProblemDetails } from '#schemas/problem-details.ts'
import { problems, type ProblemCode } from '#schemas/problems.ts'

interface ProblemOptions {
  detail?: string
  errors?: ProblemDetails['errors']
  retryAfterSeconds?: number
  cause?: unknown
}

/** An error that clients may see: an entry of the catalogue, possibly with a more specific text. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly status: number
  readonly errors: ProblemDetails['errors']
  readonly retryAfterSeconds: number | undefined

  constructor(code: ProblemCode, { detail, errors, retryAfterSeconds, cause }: ProblemOptions = {}) {
    super(detail ?? problems[code].detail, { cause })
    this.code = code
    this.status = problems[code].status
    this.errors = errors
    this.retryAfterSeconds = retryAfterSeconds ?? (code === 'unavailable' ? 1 : undefined)
  }

  /** @param requestId identifies the entry in the service's log */
  toDetails(requestId: string): ProblemDetails {
    return {
      type: `urn:sallyport:problem:${this.code}`,
      title: problems[this.code].title,
      status: this.status,
      code: this.code,
      detail: this.message,
      instance: requestId,
      errors: this.errors,
    }
  }
}

/** Rejects a field for a reason outside its schema. */
export const rejectField = (field: string, message: string): Problem =>
  new Problem('invalid-request', { detail: message, errors: [{ field, message }] })

/** @throws Problem `not-found` */
export function requireFound<T>(found: T | false | null | undefined): T {
  if (!found) throw new Problem('not-found')
  return found
}
