interface ErrorFields {
  type?: string
  param?: string
  code?: string
  headers?: Record<string, string>
}

/** An error response of the provider, in the shape of OpenAI's `{ "error": { message, type, param, code } }`. */
export class ProviderError extends Error {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: object

  constructor(status: number, message: string, fields: ErrorFields = {}) {
    super(message)
    const { type = 'invalid_request_error', param = null, code = null, headers = {} } = fields
    this.status = status
    this.headers = headers
    this.body = { error: { message, type, param, code } }
  }
}

const samples: Record<number, { message: string; type?: string; code?: string }> = {
  401: { message: 'Incorrect API key provided.', code: 'invalid_api_key' },
  429: { message: 'Rate limit reached for requests', type: 'requests', code: 'rate_limit_exceeded' },
  500: { message: 'The server had an error while processing your request. Sorry about that!', type: 'server_error' },
  503: {
    message: 'That model is currently overloaded with other requests. Please try again later.',
    type: 'server_error',
  },
}

/** The error that OpenAI would send with this status; `code` replaces its error code. */
export function sampleError(status: number, code?: string, headers?: Record<string, string> | ''): ProviderError {
  const sample = samples[status] ?? {
    message: `Status ${status}, as requested.`,
    type: status < 500 ? 'invalid_request_error' : 'server_error',
  }
  const quota = code === 'insufficient_quota' && { message: 'You exceeded your current quota.', type: code }
  const { message, ...fields } = { ...sample, ...(code && { code }), ...quota }
  return new ProviderError(status, message, { ...fields, ...(headers && { headers }) })
}

/**
 * @returns a check that throws 401 unless the key is one of `apiKeys` or, without that list, looks like a valid key.
 * Controls in the key are ignored.
 */
export function createKeyCheck(apiKeys: readonly string[] | undefined): (key: string | undefined) => void {
  return (key) => {
    if (key === undefined) throw new ProviderError(401, "You didn't provide an API key.")
    const [plain = ''] = key.split('.', 1)
    if (!(apiKeys ? apiKeys.includes(plain) : plain.startsWith('sk-') && !plain.startsWith('sk-bad')))
      throw new ProviderError(401, `Incorrect API key provided: ${key.slice(0, 6)}***.`, { code: 'invalid_api_key' })
  }
}
