/** A kind of call of the demo account. Times in ms, sizes in tokens. */
export interface Workload {
  model: string
  endpoint: string
  weight: number
  promptTokens: readonly [number, number]
  completionTokens: readonly [number, number]
  firstByteMs: number
  msPerToken: number
  /** Share of calls that are streamed. */
  streamed: number
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
  },
]

export interface Ending {
  weight: number
  status: number
  outcome: 'completed' | 'client_aborted' | 'upstream_failed'
  errorMessage: string | null
  /** How long it takes, as a share of the time of a complete response. */
  duration: number
  attempts: number
}

/** How calls end; most of them succeed. */
export const endings: readonly Ending[] = [
  { weight: 940, status: 200, outcome: 'completed', errorMessage: null, duration: 1, attempts: 1 },
  { weight: 12, status: 200, outcome: 'completed', errorMessage: null, duration: 1.9, attempts: 2 },
  {
    weight: 11,
    status: 200,
    outcome: 'client_aborted',
    errorMessage: 'The client went away',
    duration: 0.5,
    attempts: 1,
  },
  {
    weight: 14,
    status: 429,
    outcome: 'completed',
    errorMessage: 'Rate limit reached for requests',
    duration: 0.1,
    attempts: 3,
  },
  {
    weight: 9,
    status: 400,
    outcome: 'completed',
    errorMessage: "Unrecognized request argument supplied: 'max_token'",
    duration: 0.05,
    attempts: 1,
  },
  {
    weight: 4,
    status: 404,
    outcome: 'completed',
    errorMessage: 'The model `gpt-4o-minni` does not exist',
    duration: 0.05,
    attempts: 1,
  },
  {
    weight: 7,
    status: 500,
    outcome: 'completed',
    errorMessage: 'The server had an error while processing your request',
    duration: 0.6,
    attempts: 3,
  },
  {
    weight: 5,
    status: 502,
    outcome: 'upstream_failed',
    errorMessage: 'The provider can not be reached',
    duration: 0.4,
    attempts: 4,
  },
  {
    weight: 3,
    status: 504,
    outcome: 'upstream_failed',
    errorMessage: 'The provider did not answer in time',
    duration: 9,
    attempts: 1,
  },
]
