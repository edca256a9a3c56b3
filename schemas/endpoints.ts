/** Text for OpenAPI and the API Documentation screen. */
interface EndpointDocumentation {
  operationId: string
  summary: string
  /** Shown on the screen, which omits endpoints without a description. */
  description?: string
  requiredFields: readonly string[]
}

/** A provider endpoint that the gateway knows. All other paths under `/v1/` are forwarded as well. */
export interface ProviderEndpoint {
  /** Below the proxy's prefix. `{name}` matches one word, `*` anything. */
  path: string
  method: 'GET' | 'POST'
  /** False for endpoints that create something at the provider: a repeated request must reach it again. */
  isCacheable: boolean
  /**
   * The endpoint can stream text, from which the gateway estimates tokens when a stream is cut off. `on-request`: the
   * stream carries usage only if the request asks for it.
   */
  streamUsage?: 'always' | 'on-request'
  /** The provider does not charge for it. */
  isFree?: true
  /** Over a WebSocket, each message of this type names its model, so that the handshake need not. */
  webSocketModelIn?: 'response.create' | 'session.start'
  /** Over a WebSocket, the session is billed by its duration, besides the responses of its backend. */
  webSocketIsBilledByTime?: true
  /** Operation name of a model call in traces, as defined by OpenTelemetry's conventions for generative AI. */
  genAiOperation?: 'chat' | 'text_completion' | 'embeddings' | 'generate_content'
  documentation?: EndpointDocumentation
  /** Example request body; the request tester offers only endpoints with one. */
  sample?: Record<string, unknown>
}

/** Google's stateful call of a model, which is stored unless `store` is `false`. */
export const interactionsPath = '/v1/interactions'

/**
 * All known endpoints, in the order of the screens. The first entry that matches a path applies.
 * Source: product.md 5.3.
 */
export const endpoints: readonly ProviderEndpoint[] = [
  {
    path: '/v1/chat/completions',
    method: 'POST',
    isCacheable: true,
    streamUsage: 'on-request',
    genAiOperation: 'chat',
    documentation: {
      operationId: 'createChatCompletion',
      summary: 'Chat completions',
      description: 'Responds to a conversation, in one piece or streamed.',
      requiredFields: ['model', 'messages'],
    },
    sample: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello, how are you?' }] },
  },
  {
    path: '/v1/completions',
    method: 'POST',
    isCacheable: true,
    streamUsage: 'on-request',
    genAiOperation: 'text_completion',
    documentation: {
      operationId: 'createCompletion',
      summary: 'Completions',
      description: 'Continues a prompt (legacy models).',
      requiredFields: ['model', 'prompt'],
    },
    sample: { model: 'gpt-3.5-turbo-instruct', prompt: 'Say this is a test', max_tokens: 150 },
  },
  {
    path: '/v1/embeddings',
    method: 'POST',
    isCacheable: true,
    genAiOperation: 'embeddings',
    documentation: {
      operationId: 'createEmbedding',
      summary: 'Embeddings',
      description: 'Turns text into vectors.',
      requiredFields: ['model', 'input'],
    },
    sample: { model: 'text-embedding-3-small', input: 'The quick brown fox' },
  },
  {
    path: '/v1/images/generations',
    method: 'POST',
    isCacheable: true,
    documentation: {
      operationId: 'createImage',
      summary: 'Image generations',
      description: 'Makes images from a description.',
      requiredFields: ['prompt'],
    },
    sample: { model: 'gpt-image-1', prompt: 'A gate in a castle wall' },
  },
  {
    path: '/v1/responses',
    method: 'POST',
    isCacheable: true,
    streamUsage: 'always',
    genAiOperation: 'chat',
    webSocketModelIn: 'response.create',
    sample: { model: 'gpt-4o', input: 'Hello, how are you?' },
  },
  {
    path: '/v1/moderations',
    method: 'POST',
    isCacheable: true,
    isFree: true,
    sample: { model: 'omni-moderation-latest', input: 'Hello' },
  },
  {
    path: '/v1/models',
    method: 'GET',
    isCacheable: true,
    documentation: { operationId: 'listModels', summary: 'Models', requiredFields: [] },
    sample: {},
  },
  // Google's API. Its version `/v1beta` counts as `/v1`.
  { path: '/v1/models/*:generateContent', method: 'POST', isCacheable: true, genAiOperation: 'generate_content' },
  {
    path: '/v1/models/*:streamGenerateContent',
    method: 'POST',
    isCacheable: true,
    streamUsage: 'always',
    genAiOperation: 'generate_content',
  },
  {
    path: interactionsPath,
    method: 'POST',
    isCacheable: false,
    streamUsage: 'always',
    genAiOperation: 'generate_content',
  },
  { path: '/v1/models/*:embedContent', method: 'POST', isCacheable: true, genAiOperation: 'embeddings' },
  { path: '/v1/models/*:batchEmbedContents', method: 'POST', isCacheable: true, genAiOperation: 'embeddings' },
  { path: '/v1/models/*:countTokens', method: 'POST', isCacheable: true, isFree: true },
  { path: '/v1/models/*', method: 'GET', isCacheable: true },
  { path: '/v1/messages', method: 'POST', isCacheable: true, streamUsage: 'always', genAiOperation: 'chat' },
  { path: '/v1/rerank', method: 'POST', isCacheable: true },
  { path: '/v1/images/{operation}', method: 'POST', isCacheable: true },
  { path: '/v1/audio/speech', method: 'POST', isCacheable: true },
  { path: '/v1/audio/transcriptions', method: 'POST', isCacheable: true },
  { path: '/v1/audio/translations', method: 'POST', isCacheable: true },
  {
    path: '/v1/live/sessions',
    method: 'POST',
    isCacheable: false,
    webSocketModelIn: 'session.start',
    webSocketIsBilledByTime: true,
  },
  // A fork has the model of the session that it continues.
  { path: '/v1/live/sessions/*/fork', method: 'POST', isCacheable: false, webSocketIsBilledByTime: true },
]

const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]))
const patterns = endpoints.map(({ path }) => RegExp(`^${path.replace(/\{\w+\}/, String.raw`\w+`).replace('*', '.*')}$`))

/** Azure's deployments and OpenAI's former engines, which contain endpoints: `/v1/deployments/gpt-4o/embeddings`. */
export const deployments = '(?:deployments|engines)'
/** Where Vertex AI has its models. */
export const publisher = '(?:(?:projects/[^/]+/locations/[^/]+/)?publishers/[^/]+/)?'
const prefix = RegExp(`^/v1(?:beta)?/(?:${deployments}/[^/]+/|${publisher})`)

/** @param path without prefix and query */
export function findEndpoint(path: string): ProviderEndpoint | undefined {
  return byPath.get(path) ?? findByPattern(path.replace(prefix, '/v1/'))
}

const findByPattern = (path: string) => endpoints[patterns.findIndex((pattern) => pattern.test(path))]

/** A collection of objects that the provider stores for the key that created them. */
interface ObjectCollection {
  /** Below the proxy's prefix. Paths below it begin with the id of an object. */
  path: string
  /** Response members with ids of further objects, besides the first `id`. */
  alsoMakes?: readonly string[]
  /** The provider stores them only for requests with `store: true`. */
  isOptional?: true
}

/** Source: product.md 3.8. */
export const objectCollections: readonly ObjectCollection[] = [
  { path: '/v1/assistants' },
  { path: '/v1/batches', alsoMakes: ['output_file_id', 'error_file_id'] },
  { path: '/v1/chat/completions', isOptional: true },
  { path: '/v1/containers' },
  { path: '/v1/conversations' },
  { path: '/v1/evals' },
  { path: '/v1/files' },
  { path: '/v1/fine_tuning/jobs' },
  { path: interactionsPath },
  { path: '/v1/messages/batches' },
  { path: '/v1/responses', alsoMakes: ['container_id'] },
  { path: '/v1/threads', alsoMakes: ['thread_id'] },
  { path: '/v1/uploads', alsoMakes: ['file'] },
  { path: '/v1/vector_stores' },
  { path: '/v1/videos' },
]

/** Members of request bodies that refer to such objects: by an id, an object with an `id`, or a list of ids. */
export const objectReferences: readonly string[] = [
  'assistant_id',
  'container',
  'conversation',
  'file_id',
  'file_ids',
  'input_file_id',
  'previous_interaction_id',
  'previous_response_id',
  'thread_id',
  'training_file',
  'validation_file',
  'vector_store_ids',
]
