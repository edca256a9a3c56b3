import { type ProxyErrorCode, proxyErrors } from '#schemas/proxy-errors.ts'

const chat = '/v1/chat/completions'

type Range = readonly [from: number, to: number]

/** A kind of call that the demo account makes. Times in ms. */
const workload = (
  [model, endpoint]: readonly [string, string],
  /** Purpose of these calls, used as a tag. */
  feature: string,
  weight: number,
  /** Fraction of calls that are streamed. */
  streamed: number,
  [firstByteMs, msPerToken]: readonly [number, number],
  promptTokens: Range,
  completionTokens: Range,
) => ({ model, endpoint, feature, weight, streamed, firstByteMs, msPerToken, promptTokens, completionTokens })
export type Workload = ReturnType<typeof workload>

export const workloads = [
  workload(['gpt-4o-mini', chat], 'assistant', 34, 0.6, [310, 7], [120, 1_800], [30, 450]),
  workload(['gpt-4o', chat], 'search', 18, 0.5, [450, 12], [200, 3_200], [60, 700]),
  workload(['gpt-5-mini', chat], 'summaries', 14, 0.5, [620, 8], [150, 2_400], [80, 900]),
  workload(['gpt-5', '/v1/responses'], 'research', 9, 0.4, [1_400, 14], [300, 6_000], [150, 1_600]),
  workload(['o4-mini', chat], 'planning', 4, 0, [3_200, 9], [300, 2_000], [400, 2_500]),
  workload(['text-embedding-3-small', '/v1/embeddings'], 'search', 16, 0, [95, 0], [20, 900], [0, 0]),
  workload(['gpt-3.5-turbo-instruct', '/v1/completions'], 'autocomplete', 3, 0, [260, 6], [50, 400], [20, 200]),
]

type EndingError = { errorMessage: string; errorCode: string | null; errorType: string } | null

/** An error in the provider's words. */
const said = (errorMessage: string, errorType: string, errorCode: string | null = null): EndingError => ({
  errorMessage,
  errorCode,
  errorType,
})

/** An error in the gateway's words. */
function gatewaySaid(errorCode: ProxyErrorCode): EndingError {
  const { message, type } = proxyErrors[errorCode]
  return { errorMessage: message.replace('{timeout}', '30000'), errorCode, errorType: type }
}

const rateLimit =
  'Rate limit reached for requests per min (RPM): Limit 500, Used 500, Requested 1. Please try again in 120ms.'
const unknownModel = 'The model `gpt-4o-minni` does not exist or you do not have access to it.'
const unknownArgument = 'Unrecognized request argument supplied: max_token'
const serverError = 'The server had an error while processing your request. Sorry about that!'

const ending = (
  weight: number,
  status: number,
  outcome: 'completed' | 'client_aborted' | 'upstream_failed',
  /** Its duration, as a fraction of the time of a complete response. */
  duration: number,
  attempts: number,
  error: EndingError = null,
) => ({ weight, status, outcome, duration, attempts, error })
export type Ending = ReturnType<typeof ending>

/** Most calls succeed. */
export const endings = [
  ending(940, 200, 'completed', 1, 1),
  ending(12, 200, 'completed', 1.9, 2),
  ending(11, 200, 'client_aborted', 0.5, 1),
  ending(14, 429, 'completed', 0.1, 3, said(rateLimit, 'requests', 'rate_limit_exceeded')),
  ending(9, 400, 'completed', 0.05, 1, said(unknownArgument, 'invalid_request_error')),
  ending(4, 404, 'completed', 0.05, 1, said(unknownModel, 'invalid_request_error', 'model_not_found')),
  ending(7, 500, 'completed', 0.6, 3, said(serverError, 'server_error')),
  ending(5, 502, 'upstream_failed', 0.4, 4, gatewaySaid('upstream_unreachable')),
  ending(3, 504, 'upstream_failed', 9, 1, gatewaySaid('upstream_timeout')),
]

/** The demo's customers, the largest first. */
export const customers = ['acme', 'globex', 'initech', 'umbrella', 'hooli'] as const
