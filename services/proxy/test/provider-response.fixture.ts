/** A call, the provider's documented response, and its cost. */
export interface ProviderCase {
  /** Unique. */
  name: string
  method: string
  path: string
  /** The request's JSON body; undefined: none. */
  request: object | undefined
  status: number
  contentType: string
  /** Of the response, besides its type and length. */
  headers?: Record<string, string>
  body: string
  /** Nano-USD; `null`: unknown. */
  cost: number | null
  /** Prompt, completion and cached tokens. */
  tokens?: readonly [number, number, number]
  isEstimated?: boolean
}

export type CaseOptions = Partial<Omit<ProviderCase, 'name' | 'body' | 'cost' | 'request'>> & {
  request?: object | null
}

const [json, events] = ['application/json', 'text/event-stream']

/** A response in one piece. */
export function plain(
  name: string,
  path: string,
  request: object,
  body: unknown,
  cost: number | null,
  more: CaseOptions = {},
) {
  return toCase(`${name}, plain`, path, request, json, JSON.stringify(body), cost, more)
}

/** A stream of events, each named after the `type` of its data if it has one. */
export function stream(
  name: string,
  path: string,
  request: object,
  chunks: readonly unknown[],
  cost: number | null,
  more: CaseOptions = {},
) {
  const body = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : eventOf(chunk))).join('')
  return toCase(`${name}, streamed`, path, { ...request, stream: true }, events, body, cost, more)
}

export const done = 'data: [DONE]\n\n'

export function eventOf(chunk: unknown): string {
  const { type } = chunk as { type?: unknown }
  return `${typeof type === 'string' ? `event: ${type}\n` : ''}data: ${JSON.stringify(chunk)}\n\n`
}

function toCase(
  name: string,
  path: string,
  request: object,
  contentType: string,
  body: string,
  cost: number | null,
  more: CaseOptions,
): ProviderCase {
  return {
    name,
    method: 'POST',
    path,
    status: 200,
    contentType,
    body,
    cost,
    ...more,
    request: more.request === null ? undefined : request,
  }
}

export const chatPath = '/v1/chat/completions'
const messages = [{ role: 'user', content: 'Hello, "usage":{"prompt_tokens":1}' }]
const withMessages = (model: string) => ({ model, messages })

const id = 'chatcmpl-1'
const choice = {
  index: 0,
  message: { role: 'assistant', content: 'Hi! "usage":{"prompt_tokens":9000000}', refusal: null },
  finish_reason: 'stop',
}
const delta = (content: string) => ({ index: 0, delta: { content }, finish_reason: null })
const chunk = (model: string, choices: object[], more: object = {}) => ({
  id,
  object: 'chat.completion.chunk',
  created: 1,
  model,
  choices,
  ...more,
})

interface ChatOptions extends CaseOptions {
  /** Additional members of the response. */
  with?: object
  /** The model named in the response; default: the requested one. */
  responseModel?: string
}

/** A chat completion in one piece. */
export function chat(
  name: string,
  model: string,
  usage: object | null,
  cost: number | null,
  options: ChatOptions = {},
) {
  const { with: added, responseModel = model, ...more } = options
  const body = { id, object: 'chat.completion', created: 1, model: responseModel, choices: [choice], usage, ...added }
  return plain(name, chatPath, withMessages(model), body, cost, more)
}

/** A chat completion whose usage is in a separate chunk at the end, as OpenAI sends it. */
export function chatStream(name: string, model: string, usage: object, cost: number | null, options: ChatOptions = {}) {
  const { with: added, responseModel = model, ...more } = options
  const pieces = ['Hi', '! "usage":{"prompt_tokens":9}', ''].map((content) =>
    chunk(responseModel, [delta(content)], { ...added, usage: null }),
  )
  const chunks = [...pieces, chunk(responseModel, [], { ...added, usage }), done]
  return stream(name, chatPath, withMessages(model), chunks, cost, more)
}

/** A chat completion whose last piece includes the usage. */
export function chatStreamWithin(
  name: string,
  model: string,
  usage: object,
  cost: number | null,
  options: ChatOptions = {},
) {
  const { with: added, ...more } = options
  const last = chunk(model, [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }], { usage, ...added })
  return stream(name, chatPath, withMessages(model), [chunk(model, [delta('Hi')]), last, done], cost, more)
}

/** A chat completion with arbitrary chunks. */
export const chatChunks = (
  name: string,
  model: string,
  chunks: readonly [choices: object[], more: object][],
  cost: number | null,
  more: CaseOptions & { asked?: object } = {},
) => {
  const { asked, ...options } = more
  const pieces = chunks.map(([choices, added]) => chunk(model, choices, added))
  return stream(name, chatPath, { ...withMessages(model), ...asked }, [...pieces, done], cost, options)
}

export const piece = [delta('Hi')]

/** The same chat completion in one piece and as a stream. */
export const chatBoth = (...given: Parameters<typeof chatStream>) => [chat(...given), chatStream(...given)]

/** An embedding of so many tokens. */
export const embedding = (
  name: string,
  model: string,
  tokens: number,
  cost: number,
  { deployment = model, numbers = 1 } = {},
) =>
  plain(
    name,
    '/v1/embeddings',
    { model: deployment, input: 'a' },
    {
      object: 'list',
      data: [{ embedding: Array.from({ length: numbers }, () => 0.25) }],
      model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    },
    cost,
    { tokens: [tokens, 0, 0] },
  )

/** The `usage` of a completion. */
export const counts = (prompt: number, completion: number, more: object = {}) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...more,
})
