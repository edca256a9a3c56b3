import type { IncomingHttpHeaders } from 'node:http'
import type { BilledUsage } from '#schemas/price-rates.ts'
import { kib, nanoUsdPerUsd } from '#core/units.ts'

/** What a provider bills for its own tools in addition to a response's tokens. */
export interface ToolUsage {
  webSearches?: number
  previewSearches?: number
  /** Of models that the tools use. */
  otherModels?: readonly (BilledUsage & { model: string })[]
}

/** The usage that a provider reports in a response. */
export interface TokenUsage extends BilledUsage, ToolUsage {
  /** The cost reported by the provider. */
  reportedCostNanoUsd?: number | undefined
  /** Whether the response continued after this count. */
  isPartial?: boolean
  /** The model that the response names. */
  model?: string
  /** Id of a job, which another request may have started. Every read of the job reports the same usage. */
  jobId?: string
  /** Of Google's, which can be read again under its id. */
  isInteraction?: true
}

type Json = Record<string, unknown>

/** Limits the time that hostile text can cost. */
export const maxUsageBytes = 8 * kib

export const largestCount = 0xffff_ffff
const largestCostUsd = 1_000_000

/** @returns 0 if absent; NaN if it is not a count, which invalidates the whole usage */
export function count(value: unknown): number {
  if (value === undefined || value === null) return 0
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= largestCount ? Number(value) : Number.NaN
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

/**
 * Reads a `usage` object in every format: completions, the Responses API, images, audio, the Realtime API and
 * Anthropic, including additions by other providers.
 */
export function readTokenUsage(usage: unknown): TokenUsage | undefined {
  if (!isObject(usage)) return undefined
  if (usage['type'] === 'duration') return readDuration(usage['seconds'])
  if (usage['total_input_tokens'] !== undefined) return readInteractionTokens(usage)
  const read =
    usage['prompt_tokens'] === undefined || usage['prompt_tokens'] === null
      ? readResponseTokens(usage)
      : readCompletionTokens(usage)
  if (!read || hasInvalidCount(read)) return undefined
  const factor = tokenFactorOf(usage)
  if (factor !== 1) read.tokenFactor = factor
  const cost = readCost(usage)
  if (cost !== undefined) read.reportedCostNanoUsd = cost
  return read
}

/**
 * Reads Google's `usageMetadata`. The prompt includes what is cached, but not the results of tools, and the candidates don't
 * include thoughts, unless the total shows that they do. Source: GenerateContentResponseUsageMetadata of `@google/genai`.
 */
export function readGoogleUsage(usage: unknown): TokenUsage | undefined {
  const counts = objectOf(usage)
  const { promptTokenCount: prompt, candidatesTokenCount: candidates, totalTokenCount: total } = counts
  if (prompt === undefined && candidates === undefined) return undefined
  const { cachedContentTokenCount: cached, thoughtsTokenCount: thoughts } = counts
  const promptTokens = count(prompt) + count(counts['toolUsePromptTokenCount'])
  const includesThoughts = total === promptTokens + count(candidates)
  const completionTokens = count(candidates) + (includesThoughts ? 0 : count(thoughts))
  const audioTokens = (list: string) => tokensOfModality(counts[list], 'audio')
  const read: TokenUsage = {
    promptTokens,
    completionTokens,
    cachedTokens: count(cached),
    audioPromptTokens: audioTokens('promptTokensDetails') + audioTokens('toolUsePromptTokensDetails'),
    cachedAudioTokens: audioTokens('cacheTokensDetails'),
  }
  return hasInvalidCount(read) ? undefined : read
}

/**
 * Reads the usage of an interaction of Google's. Neither results of tools nor thoughts are in the other sums. What Google's
 * own tools cost besides is not known. Source: Usage of `@google/genai`.
 */
function readInteractionTokens(usage: Json): TokenUsage | undefined {
  const of = (kind: string) => count(usage[`total_${kind}_tokens`])
  const inAudio = (kind: string) => tokensOfModality(usage[`${kind}_tokens_by_modality`], 'audio')
  const read: TokenUsage = {
    promptTokens: of('input') + of('tool_use'),
    completionTokens: of('output') + of('thought'),
    cachedTokens: of('cached'),
    audioPromptTokens: inAudio('input') + inAudio('tool_use'),
    cachedAudioTokens: inAudio('cached'),
    audioCompletionTokens: inAudio('output'),
    imageCompletionTokens: tokensOfModality(usage['output_tokens_by_modality'], 'image'),
    isInteraction: true,
  }
  if (listOf(usage['grounding_tool_count']).some((tool) => tool['count'] !== 0)) read.tokenFactor = null
  return hasInvalidCount(read) ? undefined : read
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : [])

/** @param list numbers of tokens by modality, of either of Google's APIs */
const tokensOfModality = (list: unknown, modality: string): number =>
  listOf(list)
    .filter((each) => String(each['modality']).toLowerCase() === modality)
    .reduce((sum, each) => sum + count(each['tokenCount'] ?? each['tokens']), 0)

const hasInvalidCount = (read: TokenUsage): boolean =>
  [read, ...(read.otherModels ?? []), ...(read.calls ?? [])].some((counts) => Object.values(counts).some(Number.isNaN))

/** Anthropic charges more for processing in the US; how much more for its fast mode depends on the model. */
const tokenFactorOf = (usage: Json): number | null =>
  usage['speed'] === 'fast' ? null : usage['inference_geo'] === 'us' ? 1.1 : 1

export function readDuration(seconds: unknown): TokenUsage | undefined {
  const isDuration = typeof seconds === 'number' && seconds >= 0 && seconds <= largestCount
  return isDuration ? { promptTokens: 0, completionTokens: 0, cachedTokens: 0, seconds } : undefined
}

/** `prompt_tokens` of completions and embeddings. */
function readCompletionTokens(usage: Json): TokenUsage {
  const promptTokens = count(usage['prompt_tokens'])
  const counted = count(usage['completion_tokens'])
  // Gemini and xAI count reasoning only in the total, not in the completion. Seconds of audio are input.
  const hasSeconds = typeof usage['prompt_audio_seconds'] === 'number'
  const beyondPrompt = hasSeconds ? 0 : count(usage['total_tokens']) - promptTokens
  const details = objectOf(usage['prompt_tokens_details'])
  return {
    promptTokens,
    completionTokens: Math.max(counted, beyondPrompt),
    // `prompt_cache_hit_tokens` is DeepSeek's, `cached_tokens` Kimi's.
    cachedTokens: count(details['cached_tokens'] ?? usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens']),
    ...readParts(details, objectOf(usage['completion_tokens_details'])),
  }
}

/** `input_tokens` of other endpoints, and of Anthropic. */
function readResponseTokens(usage: Json): TokenUsage | undefined {
  if (usage['input_tokens'] === undefined || usage['input_tokens'] === null) return undefined
  const { cache_read_input_tokens: readTokens, cache_creation_input_tokens: written, iterations } = usage
  const webSearches = count(objectOf(usage['server_tool_use'])['web_search_requests'])
  if (typeof readTokens === 'number' || typeof written === 'number' || Array.isArray(iterations)) {
    const read = { ...readAnthropicTokens(usage), webSearches }
    return Array.isArray(iterations) ? withIterations(read, iterations) : read
  }
  const input = count(usage['input_tokens'])
  const completionTokens = count(usage['output_tokens'])
  const details = objectOf(usage['input_tokens_details'] ?? usage['input_token_details'])
  const outputDetails = usage['output_tokens_details'] ?? usage['output_token_details']
  const read: TokenUsage = {
    promptTokens: input,
    completionTokens,
    cachedTokens: count(details['cached_tokens']),
    webSearches,
    ...readParts(details, objectOf(outputDetails)),
  }
  // Without output details, all output consists of images.
  if (details['image_tokens'] !== undefined && !isObject(outputDetails)) read.imageCompletionTokens = completionTokens
  return read
}

/** Anthropic counts cached tokens separately. */
function readAnthropicTokens(usage: Json) {
  const written = count(usage['cache_creation_input_tokens'])
  const cachedTokens = count(usage['cache_read_input_tokens'])
  const hourCacheWriteTokens = count(objectOf(usage['cache_creation'])['ephemeral_1h_input_tokens'])
  return {
    promptTokens: count(usage['input_tokens']) + cachedTokens + written,
    completionTokens: count(usage['output_tokens']),
    cachedTokens,
    cacheWriteTokens: Math.max(0, written - hourCacheWriteTokens),
    hourCacheWriteTokens,
  }
}

/** Adds what Anthropic's sums leave out: the model's summaries of a conversation, and the advice of another model. */
function withIterations(read: TokenUsage, iterations: readonly unknown[]): TokenUsage {
  const parts = iterations.map(objectOf)
  const tokensOf = (kind: string) => parts.filter(({ type }) => type === kind).map(readAnthropicTokens)
  const [messages, summaries] = [tokensOf('message'), tokensOf('compaction')]
  const calls = [...(messages.length > 1 ? messages : [{ ...read }]), ...summaries]
  // The cost comes from the calls; these are the tokens that the log shows.
  for (const { promptTokens, completionTokens, cachedTokens } of summaries) {
    read.promptTokens += promptTokens
    read.completionTokens += completionTokens
    read.cachedTokens += cachedTokens
  }
  const advice = parts.filter(({ type }) => type === 'advisor_message')
  return {
    ...read,
    calls,
    otherModels: advice.map((part) => ({ ...readAnthropicTokens(part), model: String(part['model']) })),
  }
}

/** Parts of the input and output with separate prices. Most responses have none. */
function readParts(input: Json, output: Json): Partial<TokenUsage> | undefined {
  const audio = count(input['audio_tokens'])
  const image = count(input['image_tokens'])
  const audioOutput = count(output['audio_tokens'])
  const imageOutput = count(output['image_tokens'])
  // The longer names are Qwen's and LiteLLM's.
  const written = count(
    input['cache_write_tokens'] ?? input['cache_creation_input_tokens'] ?? input['cache_creation_tokens'],
  )
  if (audio + image + audioOutput + imageOutput + written === 0) return undefined
  const hourCacheWriteTokens = count(objectOf(input['cache_creation_token_details'])['ephemeral_1h_input_tokens'])
  const halfDayCacheWriteTokens = count(objectOf(input['cache_write_tokens_details'])['ttl_12h_tokens'])
  const cached = objectOf(input['cached_tokens_details'])
  return {
    cacheWriteTokens: Math.max(0, written - hourCacheWriteTokens - halfDayCacheWriteTokens),
    hourCacheWriteTokens,
    halfDayCacheWriteTokens,
    audioPromptTokens: audio,
    imagePromptTokens: image,
    cachedAudioTokens: count(cached['audio_tokens']),
    cachedImageTokens: count(cached['image_tokens']),
    audioCompletionTokens: audioOutput,
    imageCompletionTokens: imageOutput,
  }
}

const xaiTicksPerUsd = 1e10

/**
 * OpenRouter reports USD, plus the provider's charge to the account's own key; Perplexity reports an object, and xAI ticks.
 */
function readCost(usage: Json): number | undefined {
  const { cost, cost_in_usd_ticks: ticks } = usage
  const ownKeyCost = usage['is_byok'] === true ? objectOf(usage['cost_details'])['upstream_inference_cost'] : 0
  const inUsd = isObject(cost) ? cost['total_cost'] : cost
  const usd = inUsd ?? (typeof ticks === 'number' ? ticks / xaiTicksPerUsd : undefined)
  if (typeof usd !== 'number' || typeof ownKeyCost !== 'number') return undefined
  const total = usd + ownKeyCost
  return total >= 0 && total <= largestCostUsd ? Math.round(total * nanoUsdPerUsd) : undefined
}

/**
 * LiteLLM reports the cost in a header, which for a stream is sent before it is known, and may be 0 where it is unknown.
 * Only what it serves from its cache has the other header.
 */
export function costInHeaders(headers: IncomingHttpHeaders, isStream: boolean): number | undefined {
  if (headers['x-litellm-cache-key'] !== undefined) return 0
  if (isStream) return undefined
  const usd = Number(headers['x-litellm-response-cost'])
  return usd > 0 && usd <= largestCostUsd ? Math.round(usd * nanoUsdPerUsd) : undefined
}

/** Parses from an opening brace to its closing one. A usage object has no strings with braces in them. */
export function parseUsageObject(text: string, from: number): object | undefined {
  const end = Math.min(text.length, from + maxUsageBytes)
  let depth = 0
  for (let at = from; at < end; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth > 0) continue
    try {
      return JSON.parse(text.slice(from, at + 1)) as object
    } catch {
      return undefined
    }
  }
  return undefined
}
