interface ErrorFields {
  type?: string
  param?: string | null
  code?: string | null
  headers?: Record<string, string>
}

/** An error that the provider answers, in the shape of OpenAI's `{ "error": { message, type, param, code } }`. */
export class ProviderError extends Error {
  readonly status: number
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  readonly headers: Record<string, string>

  constructor(status: number, message: string, fields: ErrorFields = {}) {
    super(message)
    this.status = status
    this.type = fields.type ?? 'invalid_request_error'
    this.param = fields.param ?? null
    this.code = fields.code ?? null
    this.headers = fields.headers ?? {}
  }

  toBody() {
    return { error: { message: this.message, type: this.type, param: this.param, code: this.code } }
  }
}

const quotaMessage =
  'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.'

const samples: Record<number, { message: string; type?: string; code?: string }> = {
  400: { message: 'The request was refused on purpose by the sample provider.' },
  401: {
    message: 'Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.',
    code: 'invalid_api_key',
  },
  403: {
    message: 'Country, region, or territory not supported',
    type: 'request_forbidden',
    code: 'unsupported_country_region_territory',
  },
  429: { message: 'Rate limit reached for requests', type: 'requests', code: 'rate_limit_exceeded' },
  500: { message: 'The server had an error while processing your request. Sorry about that!', type: 'server_error' },
  503: {
    message: 'That model is currently overloaded with other requests. Please try again later.',
    type: 'server_error',
  },
}

/** The error that OpenAI would answer with this status; `code` replaces its error code. */
export const sampleError = (status: number, code?: string, headers?: Record<string, string>): ProviderError => {
  if (code === 'insufficient_quota') return new ProviderError(status, quotaMessage, { type: code, code, headers })
  const { message, ...fields } = samples[status] ?? {
    message: `Status ${status}, as asked for.`,
    type: status < 500 ? 'invalid_request_error' : 'server_error',
  }
  return new ProviderError(status, message, { ...fields, ...(code && { code }), headers })
}
