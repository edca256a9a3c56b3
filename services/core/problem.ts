import { problems, type ProblemCode, type ProblemDetails } from '#schemas/problems.ts'

interface ProblemOptions {
  detail?: string
  errors?: ProblemDetails['errors']
  cause?: unknown
}

/** An error that may be told to the caller: an entry of the catalogue, with a more exact text if there is one. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly status: number
  readonly errors: ProblemDetails['errors']

  constructor(code: ProblemCode, { detail, errors, cause }: ProblemOptions = {}) {
    super(detail ?? problems[code].detail, { cause })
    this.code = code
    this.status = problems[code].status
    this.errors = errors
  }

  /** @param requestId told to the caller, so that the service's log entry can be found */
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
