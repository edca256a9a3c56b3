import { type ProxyErrorCode, proxyErrors } from '#schemas/proxy-errors.ts'

/** A kind of call that the demo account makes. Times in ms, sizes in tokens. */
export interface Workload {
  model: string
  endpoint: string
  weight: number
  promptTokens: readonly [number, number]
  completionTokens: readonly [number, number]
  firstByteMs: number
  msPerToken: number
  /** Fraction of calls that are streamed. */
  streamed: number
  /** Purpose of these calls, used as a tag. */
  feature: string
}

const chat = '/v1/chat/completions'

export const workloads: readonly Workload[] = [
  {
    model: 'gpt-4o-mini',
    endpoint: chat,
    weight: 34,
    promptTokens: [120, 1_800],
    completionTokens: [30, 450],
    firstByteMs: 310,
    msPerToken: 7,
    streamed: 0.6,
    feature: 'assistant',
  },
  {
    model: 'gpt-4o',
    endpoint: chat,
    weight: 18,
    promptTokens: [200, 3_200],
    completionTokens: [60, 700],
    firstByteMs: 450,
    msPerToken: 12,
    streamed: 0.5,
    feature: 'search',
  },
  {
    model: 'gpt-5-mini',
    endpoint: chat,
    weight: 14,
    promptTokens: [150, 2_400],
    completionTokens: [80, 900],
    firstByteMs: 620,
    msPerToken: 8,
    streamed: 0.5,
    feature: 'summaries',
  },
  {
    model: 'gpt-5',
    endpoint: '/v1/responses',
    weight: 9,
    promptTokens: [300, 6_000],
    completionTokens: [150, 1_600],
    firstByteMs: 1_400,
    msPerToken: 14,
    streamed: 0.4,
    feature: 'research',
  },
  {
    model: 'o4-mini',
    endpoint: chat,
    weight: 4,
    promptTokens: [300, 2_000],
    completionTokens: [400, 2_500],
    firstByteMs: 3_200,
    msPerToken: 9,
    streamed: 0,
    feature: 'planning',
  },
  {
    model: 'text-embedding-3-small',
    endpoint: '/v1/embeddings',
    weight: 16,
    promptTokens: [20, 900],
    completionTokens: [0, 0],
    firstByteMs: 95,
    msPerToken: 0,
    streamed: 0,
    feature: 'search',
  },
  {
    model: 'gpt-3.5-turbo-instruct',
    endpoint: '/v1/completions',
    weight: 3,
    promptTokens: [50, 400],
    completionTokens: [20, 200],
    firstByteMs: 260,
    msPerToken: 6,
    streamed: 0,
    feature: 'autocomplete',
  },
]

export interface Ending {
  weight: number
  status: number
  outcome: 'completed' | 'client_aborted' | 'upstream_failed'
  error: { errorMessage: string; errorCode: string | null; errorType: string } | null
  /** Its duration, as a fraction of the time of a complete response. */
  duration: number
  attempts: number
}

/** An error in the provider's words. */
const said = (errorMessage: string, errorType: string, errorCode: string | null = null): Ending['error'] => ({
  errorMessage,
  errorCode,
  errorType,
})

/** An error in the gateway's words. */
function gatewaySaid(errorCode: ProxyErrorCode): Ending['error'] {
  const { message, type } = proxyErrors[errorCode]
  return { errorMessage: message.replace('{timeout}', '30000'), errorCode, errorType: type }
}

const rateLimit =
  'Rate limit reached for requests per min (RPM): Limit 500, Used 500, Requested 1. Please try again in 120ms.'
const unknownModel = 'The model `gpt-4o-minni` does not exist or you do not have access to it.'
const unknownArgument = 'Unrecognized request argument supplied: max_token'
const serverError = 'The server had an error while processing your request. Sorry about that!'

/** How calls end; most of them succeed. */
export const endings: readonly Ending[] = [
  { weight: 940, status: 200, outcome: 'completed', error: null, duration: 1, attempts: 1 },
  { weight: 12, status: 200, outcome: 'completed', error: null, duration: 1.9, attempts: 2 },
  { weight: 11, status: 200, outcome: 'client_aborted', error: null, duration: 0.5, attempts: 1 },
  {
    weight: 14,
    status: 429,
    outcome: 'completed',
    error: said(rateLimit, 'requests', 'rate_limit_exceeded'),
    duration: 0.1,
    attempts: 3,
  },
  {
    weight: 9,
    status: 400,
    outcome: 'completed',
    error: said(unknownArgument, 'invalid_request_error'),
    duration: 0.05,
    attempts: 1,
  },
  {
    weight: 4,
    status: 404,
    outcome: 'completed',
    error: said(unknownModel, 'invalid_request_error', 'model_not_found'),
    duration: 0.05,
    attempts: 1,
  },
  {
    weight: 7,
    status: 500,
    outcome: 'completed',
    error: said(serverError, 'server_error'),
    duration: 0.6,
    attempts: 3,
  },
  {
    weight: 5,
    status: 502,
    outcome: 'upstream_failed',
    error: gatewaySaid('upstream_unreachable'),
    duration: 0.4,
    attempts: 4,
  },
  {
    weight: 3,
    status: 504,
    outcome: 'upstream_failed',
    error: gatewaySaid('upstream_timeout'),
    duration: 9,
    attempts: 1,
  },
]

/** The demo's customers, the largest first. */
export const customers = ['acme', 'globex', 'initech', 'umbrella', 'hooli'] as const
