import { remember } from '#core/remember.ts'
import type { CostSource, RequestEvent } from '#schemas/request-event.ts'
import { findEndpoint, interactionsPath } from '#schemas/endpoints.ts'
import { decodedIfValid } from '#schemas/percent-encoding.ts'
import type { PriceList } from '#schemas/model-prices.ts'
import type { TokenUsage } from './token-usage.ts'

const billedMethods = new Set(['POST', 'PUT', 'PATCH'])

/** Free operations, in addition to the endpoints that are marked as free. */
const freePath = /^\/v1(?:beta)?\/(?:files|uploads|conversations)(?:\/|$)|\/(?:input_tokens|count_tokens)$/

/**
 * Operations that start a job, which keeps running and costing money without further requests; interactions only in a
 * spelling in which their terms are not read.
 */
const jobPath =
  /^\/v1\/(?:messages\/)?batches\/?$|^\/v1\/(?:fine_tuning|videos|evals|threads|containers|agents|interactions)(?:\/|$)/i
const googleJobPath = /:(?:batchGenerateContent|asyncBatchEmbedContent|predictLongRunning)$/i

const cancelPath = /\/cancel$/

/** Changes the metadata of a stored completion; the response repeats its usage. */
const updatePath = /^\/v1\/chat\/completions\/chatcmpl-[\w-]+$/

const isFree = remember(
  (endpoint) =>
    findEndpoint(endpoint)?.isFree === true || [freePath, cancelPath, updatePath].some((path) => path.test(endpoint)),
)

/** Whether a request is known to cost nothing before it is sent. */
export const costsNothing = (method: string | undefined, endpoint: string): boolean =>
  !billedMethods.has(method ?? '') || isFree(endpoint)

/** Whether a request starts a job, whose cost is not known in advance. Providers decode paths, and may ignore case. */
export const startsJob = remember((endpoint) => {
  if (endpoint === interactionsPath) return false
  const path = decodedIfValid(endpoint)
  return jobPath.test(path) || googleJobPath.test(path)
})

export type Metered = Pick<
  RequestEvent,
  'promptTokens' | 'completionTokens' | 'cachedTokens' | 'costNanoUsd' | 'costSource'
>

const unknown: Metered = {
  promptTokens: null,
  completionTokens: null,
  cachedTokens: null,
  costNanoUsd: null,
  costSource: 'unknown',
}
export const free: Metered = { ...unknown, costNanoUsd: 0, costSource: 'exact' }

/** English text has about four characters per token. */
export const bytesPerToken = 4

/** A second of speech has 20 tokens of audio, and about 15 characters. */
export const audioTokensPerCharacter = 20 / 15

/** Usage of a model's recent requests, from which that of a stream that breaks off is estimated. */
export interface LearnedUsage {
  /** Prompt tokens per byte of the request; undefined until a request has had its whole prompt in its body. */
  tokensPerByte?: number
  /** Tokens of the prompt that are not in the request, such as a kept conversation; undefined until known. */
  keptPromptTokens?: number
  /** Actual completion tokens of a stream per token estimated from its pieces; undefined until a stream has ended. */
  tokensPerEstimate?: number
  /** Completion tokens of a stream that are in none of its pieces, such as reasoning. */
  hiddenTokens: number
}

/** Likely tokens of a stream that has not reported its usage. */
export interface StreamTokens {
  promptTokens: number
  /** Including audio. */
  completionTokens: number
  audioCompletionTokens: number
}

interface Reported {
  usage?: TokenUsage | undefined
  /** The cost reported outside of the usage. */
  costNanoUsd?: number | undefined
  /** Undefined for other responses. */
  stream?: StreamTokens | undefined
  /** Of the text in a request for speech. */
  speech?: { usage: TokenUsage; likely: StreamTokens } | undefined
  /** Models that the provider may have used instead of the requested one; undefined if they can't be read. */
  fallbacks: readonly string[] | undefined
  /** Whether it called a model, as Mistral's conversations do at the paths at which OpenAI's only keep items. */
  callsModel?: boolean
}

/**
 * Tokens and cost of a request that the provider responded to: exact if it reported usage, estimated for a stream that
 * broke off before that. Read-only requests cost nothing, even if the response repeats a usage.
 */
export function meter(event: RequestEvent, prices: PriceList, reported: Reported): Metered {
  const { usage, stream, speech, fallbacks, costNanoUsd, callsModel } = reported
  const makesUsage = billedMethods.has(event.method) && !updatePath.test(event.endpoint)
  if (!makesUsage && usage?.jobId === undefined) return free
  const reportedCostNanoUsd = usage?.reportedCostNanoUsd ?? costNanoUsd
  const measure = (used: TokenUsage, source: CostSource) =>
    withCost(event, prices, { ...used, reportedCostNanoUsd }, source, fallbacks)
  if (usage?.isPartial) {
    const completionTokens = Math.max(usage.completionTokens, stream?.completionTokens ?? 0)
    return measure({ ...usage, completionTokens }, 'estimated')
  }
  if (usage) return measure(usage, 'exact')
  if (event.status >= 400) return free
  if (speech) {
    const byCharacters = measure(speech.usage, 'exact')
    const byTokens = measure({ ...speech.likely, cachedTokens: 0 }, 'estimated')
    return byCharacters.costNanoUsd === null && byTokens.costNanoUsd !== null ? byTokens : byCharacters
  }
  const endpoint = findEndpoint(event.endpoint)
  if (event.streamed && stream && endpoint?.streamUsage) return measure({ ...stream, cachedTokens: 0 }, 'estimated')
  if (costsNothing(event.method, event.endpoint) && !callsModel) return free
  const cost = costNanoUsd ?? dearestOf(event.model, fallbacks, (model) => prices.requestCostNanoUsd(model))
  return cost === null ? unknown : { ...unknown, costNanoUsd: cost, costSource: 'exact' }
}

/**
 * Adds a response to the sums of its session. The total cost becomes unknown if one response's cost is.
 * @param before `free` for the first response
 */
export function meterSession(before: Metered, prices: PriceList, model: string | null, usage: TokenUsage): Metered {
  const one = withCost({ model }, prices, usage, usage.isPartial ? 'estimated' : 'exact', [])
  const costs = [before.costNanoUsd, one.costNanoUsd]
  const cost = costs.reduce((sum, each) => (sum === null || each === null ? null : loggable(sum + each)))
  return {
    promptTokens: (before.promptTokens ?? 0) + usage.promptTokens,
    completionTokens: (before.completionTokens ?? 0) + usage.completionTokens,
    cachedTokens: (before.cachedTokens ?? 0) + usage.cachedTokens,
    costNanoUsd: cost,
    costSource: cost === null ? 'unknown' : before.costSource === 'exact' ? one.costSource : 'estimated',
  }
}

function withCost(
  { model }: Pick<RequestEvent, 'model'>,
  prices: PriceList,
  usage: TokenUsage,
  source: CostSource,
  fallbacks: Reported['fallbacks'],
): Metered {
  const cost = usage.reportedCostNanoUsd ?? costWithTools(model, prices, usage, fallbacks)
  const hasTokens = usage.seconds === undefined && usage.characters === undefined
  return {
    promptTokens: hasTokens ? usage.promptTokens : null,
    completionTokens: hasTokens ? usage.completionTokens : null,
    cachedTokens: hasTokens ? usage.cachedTokens : null,
    costNanoUsd: cost === null ? null : loggable(cost),
    costSource: cost === null ? 'unknown' : source,
  }
}

function costWithTools(
  model: string | null,
  prices: PriceList,
  usage: TokenUsage,
  fallbacks: Reported['fallbacks'],
): number | null {
  const cost = costOfModel(model, prices, usage, fallbacks)
  const costs = [cost, ...(usage.otherModels ?? []).map((other) => prices.costNanoUsd(other.model, other))]
  return costs.reduce((sum, each) => (sum === null || each === null ? null : sum + each))
}

/**
 * Prices the requested model, else the one named in the response: Azure deployments can have any name. Of a request with
 * fallbacks, the one that the response names too, else the dearest.
 */
function costOfModel(
  model: string | null,
  prices: PriceList,
  usage: TokenUsage,
  fallbacks: Reported['fallbacks'],
): number | null {
  const costOf = (named: string) => prices.costNanoUsd(named, usage)
  const { model: used } = usage
  if (used === undefined) return dearestOf(model, fallbacks, costOf)
  const listed = prices.nameOf(used)
  const isUsed = (named: string) => named === used || prices.nameOf(named) === listed
  const found = [model ?? used, ...(fallbacks ?? [])].find(isUsed)
  if (found !== undefined) return costOf(found)
  return dearestOf(model, fallbacks, costOf) ?? (fallbacks?.length === 0 ? costOf(used) : null)
}

/** The highest cost of the models that a request names; null if one of them is unknown. */
export function dearestOf(
  model: string | null,
  fallbacks: readonly string[] | undefined,
  costOf: (model: string) => number | null,
): number | null {
  if (model === null || !fallbacks) return null
  if (fallbacks.length === 0) return costOf(model)
  const costs = [model, ...fallbacks].map(costOf)
  return costs.reduce((most, cost) => (most === null || cost === null ? null : Math.max(most, cost)))
}

/** A larger number is not exact, and would make the log invalid. */
const loggable = (nanoUsd: number): number => Math.min(nanoUsd, Number.MAX_SAFE_INTEGER)
