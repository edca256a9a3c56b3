import { problems, type ProblemCode, type ProblemDetails } from '#schemas/problems.ts'

interface ProblemOptions {
  detail?: string
  errors?: ProblemDetails['errors']
  /** When it makes sense to try again; becomes the `Retry-After` header. */
  retryAfterSeconds?: number
  cause?: unknown
}

/** An error that may be shown to the caller: an entry of the catalogue, with a more exact text if there is one. */
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
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** @param requestId shown to the caller, so that the service's log entry can be found */
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

/** A field that was refused for a reason that its schema can't know. */
export const refuseField = (field: string, message: string): Problem =>
  new Problem('invalid-request', { detail: message, errors: [{ field, message }] })
