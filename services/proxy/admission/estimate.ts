import { nanoUsdPerUsd } from '#core/units.ts'
import { deployments, findEndpoint } from '#schemas/endpoints.ts'
import type { PriceList } from '#schemas/model-prices.ts'
import { webSearchUsd } from '#schemas/price-rates.ts'
import { fallbackModelsOf } from '../auth/other-models.ts'
import { hidesModel } from '../auth/token-restrictions.ts'
import type { ReceivedRequest } from '../log/request-log-builder.ts'
import { bytesOf } from '../request/body.ts'
import { readFormChoices } from '../request/form-fields.ts'
import { findMembers, type Member } from '../request/json/find-members.ts'
import type { Terms } from '../request/metadata.ts'
import { hasTextElsewhere } from '../request/stored-text.ts'
import { audioTokensPerCharacter, bytesPerToken, costsNothing, dearestOf, startsJob } from '../usage/metering.ts'
import { readName } from '../usage/response-usage.ts'
import { makesSpeech } from '../usage/speech.ts'
import { imageModelIn } from '../usage/tool-usage.ts'
import { type Expectations, mostTokensPerByte } from './expectations.ts'

/** The most that a request can use. Money is in nano-USD. */
export interface Estimate {
  /** Whether the cost can be estimated before the request is sent. */
  isPriced: boolean
  tokens: number
  costNanoUsd: number
  /** Whether the response can be ended once its reservation is used up. */
  isStream: boolean
  /** The likely cost of a stream before its first piece, and of each token that is estimated from its pieces. */
  initialNanoUsd: number
  tokenNanoUsd: number
}

const nothing: Estimate = {
  isPriced: true,
  tokens: 0,
  costNanoUsd: 0,
  isStream: false,
  initialNanoUsd: 0,
  tokenNanoUsd: 0,
}

/** Lower bound for a known model: its past prompts may have contained images, with many bytes per token. */
const fewestTokensPerByte = 0.3
const usualCompletion = 4_096
const margin = 1.25
/** Assumed for conversations and files that the provider keeps, until requests of the model have shown their length. */
const longestKeptPrompt = 250_000
/** Speech is hardly ever compressed further, 16 kbit/s. */
const fewestBytesPerSecond = 2_000
const [cacheControl, timeToLive] = [Buffer.from('"cache_control"'), Buffer.from('"ttl"')]
const [forAnHour, forHalfADay] = [Buffer.from('"1h"'), Buffer.from('"12h"')]
/** Files of audio have many bytes for each token. */
const filePath = /\/audio\/(?:transcriptions|translations)$/
const mostChoices = 128
const firstOfTrue = 0x74

export function estimate(
  { account, request, target, body, metadata }: ReceivedRequest,
  expectations: Expectations,
): Estimate {
  const { model, terms = {} } = metadata
  // Mistral's conversations call a model, at the paths at which OpenAI's only keep items.
  if (costsNothing(request.method, target.endpoint) && !terms.inputs) return nothing
  const json = body && 'bytes' in body ? body.bytes : undefined
  const serviceTier = json && readName(json, terms.service_tier)
  const learned = expectations.of(account.accountId, model)
  const bytes = bytesOf(body)
  const { tokensPerByte, keptPromptTokens = 0, hiddenTokens = 0, tokensPerEstimate = 1 } = learned ?? {}
  const perByte =
    tokensPerByte === undefined ? mostTokensPerByte : Math.max(fewestTokensPerByte, tokensPerByte * margin)
  const isFile = filePath.test(target.endpoint)
  const longestPrompt = model !== null && isFile ? account.prices.maxInput(model) : Number.POSITIVE_INFINITY
  const maxSeconds = isFile && body?.length !== undefined ? body.length / fewestBytesPerSecond : undefined
  const promptTokens = Math.min(longestPrompt, Math.ceil(bytes * perByte + keptPromptTokens * margin))
  const inForm = json ? largestOf(readFormChoices(json, request.headers['content-type'] ?? '')) : 0
  const google = json && (metadata.isGoogle || metadata.isInteraction) ? readGoogleTerms(json) : undefined
  const asked = google?.choices ?? Math.max(numberOf(json, terms.n), numberOf(json, terms.best_of), inForm)
  const choices = Math.min(mostChoices, Math.max(1, asked))
  // Providers differ in which one they honor.
  const maxTokens =
    google?.maxTokens ??
    Math.max(
      numberOf(json, terms.max_completion_tokens),
      numberOf(json, terms.max_tokens),
      numberOf(json, terms.max_output_tokens),
    )
  const expected = makesSpeech(target.endpoint)
    ? Math.ceil(bytes * audioTokensPerCharacter * margin)
    : learned
      ? Math.ceil(learned.completionTokens * margin)
      : usualCompletion
  const maxCompletionTokens = (maxTokens || expected) * choices
  const tokens = promptTokens + maxCompletionTokens
  const isFast = json !== undefined && readName(json, terms.speed) === 'fast'
  // What it asks for is unknown then, unless it is a file.
  const isUnread = metadata.terms === undefined && longestPrompt === Number.POSITIVE_INFINITY
  const isUnknown =
    hidesModel(target) || startsJob(target.endpoint) || isAmbiguous(terms) || google?.isAmbiguous === true
  if (isUnread || isUnknown || isFast) return unpriced(tokens)
  const fallbacks = fallbackModelsOf(body, terms)
  const cachesFor = json && cacheTimeIn(json)
  const costOf = (prompt: number, completion: number) =>
    dearestOf(model, fallbacks, (named) => {
      const tokensOf = { promptTokens: prompt, maxCompletionTokens: completion }
      return account.prices.upperCostNanoUsd(named, { ...tokensOf, serviceTier, cachesFor, maxSeconds })
    })
  const isPromptUnknown = learned?.keptPromptTokens === undefined && hasTextElsewhere({ body, metadata })
  const mostPromptTokens = promptTokens + (isPromptUnknown ? longestKeptPrompt : 0)
  const tokenCost = costOf(mostPromptTokens, maxCompletionTokens)
  const toolCost = likelyToolCost(json, terms, account.prices)
  if (tokenCost === null || toolCost === null) return unpriced(tokens)
  const whole = { ...nothing, tokens, costNanoUsd: tokenCost + toolCost }
  // The provider continues a background response after its stream was ended.
  const isBackground = terms.background !== undefined && json?.[terms.background.from] === firstOfTrue
  const isIndivisible = isBackground || isPromptUnknown || findEndpoint(target.endpoint)?.streamUsage === undefined
  if (!metadata.isStream || isIndivisible) return whole
  const likelyPrompt = Math.ceil(bytes * (tokensPerByte ?? 1 / bytesPerToken) + keptPromptTokens)
  const initialNanoUsd = (costOf(likelyPrompt, Math.round(hiddenTokens)) ?? 0) + toolCost
  const thousand = 1_000
  const thousandNanoUsd = (costOf(promptTokens, thousand) ?? 0) - (costOf(promptTokens, 0) ?? 0)
  const tokenNanoUsd = (thousandNanoUsd / thousand) * tokensPerEstimate
  return { ...whole, isStream: true, initialNanoUsd, tokenNanoUsd }
}

function cacheTimeIn(json: Buffer) {
  if (json.includes(forHalfADay) && json.includes(timeToLive)) return 'halfDay'
  if (!json.includes(cacheControl)) return undefined
  return json.includes(forAnHour) ? 'hour' : 'minutes'
}

const googleConfigs = ['generationConfig', 'generation_config'] as const
const googleLimits = ['maxOutputTokens', 'max_output_tokens', 'candidateCount', 'candidate_count'] as const

/** Google reads either spelling. Thoughts count towards `maxOutputTokens`. */
function readGoogleTerms(json: Buffer) {
  const configs = findMembers(json, googleConfigs, true) ?? {}
  const { from = 0, to = 0 } = configs.generationConfig ?? configs.generation_config ?? {}
  const config = json.subarray(from, to)
  const limits = findMembers(config, googleLimits, true) ?? {}
  const largest = (...members: (Member | undefined)[]) => Math.max(...members.map((each) => numberOf(config, each)))
  const isOddlySpelled = [configs, limits].some((members) => Object.values(members).some(isOdd))
  return {
    maxTokens: largest(limits.maxOutputTokens, limits.max_output_tokens),
    choices: largest(limits.candidateCount, limits.candidate_count),
    isAmbiguous: isOddlySpelled || Object.keys(configs).length > 1,
  }
}

const [searchTool, imageTool] = [/"type"\s*:\s*"web_search/, /"type"\s*:\s*"image_generation"/]
const usualSearches = 10
/** Of an image of high quality. */
const imageTokens = 6_240

/** @returns what the provider's own tools cost in addition to the tokens, nano-USD; null without a known price */
function likelyToolCost(json: Buffer | undefined, { tools, max_tool_calls }: Terms, prices: PriceList): number | null {
  if (!json || !tools) return 0
  const text = json.toString('latin1', tools.from, tools.to)
  const searches = searchTool.test(text) ? numberOf(json, max_tool_calls) || usualSearches : 0
  const searchCost = searches * webSearchUsd * nanoUsdPerUsd
  if (!imageTool.test(text)) return searchCost
  const image = { promptTokens: 0, completionTokens: imageTokens, cachedTokens: 0 }
  const imageCost = prices.costNanoUsd(imageModelIn(text), image)
  return imageCost === null ? null : searchCost + imageCost
}

const unpriced = (tokens: number): Estimate => ({ ...nothing, isPriced: false, tokens })

const largestOf = (texts: readonly string[]): number => texts.reduce((most, text) => Math.max(most, toNumber(text)), 0)

const sessionPrompt = 4_096
/** For sessions whose model is named only in messages, nano-USD. */
const unnamedSession = 10_000_000

/** Sessions with readable usage. */
const meteredSession = RegExp(`^/v1/(?:${deployments}/[^/]+/)?(?:realtime|responses)(?:/|$)`)

/** @param requestBytes of all messages so far; ignored where messages are mostly audio */
export const likelySessionPrompt = (endpoint: string, requestBytes: number): number =>
  findEndpoint(endpoint)?.webSocketModelIn === 'response.create'
    ? Math.ceil(requestBytes / bytesPerToken)
    : sessionPrompt

/** A session reserves the likely usage of one response at a time. */
export function estimateSession({ account, target, metadata }: ReceivedRequest, expectations: Expectations): Estimate {
  const { model } = metadata
  const learned = expectations.ofSession(account.accountId, model)
  const maxCompletionTokens = Math.ceil((learned ?? usualCompletion) * margin)
  const promptTokens = sessionPrompt
  const isBilledByTime = findEndpoint(target.endpoint)?.webSocketIsBilledByTime === true
  const cost =
    model === null ? unnamedSession : account.prices.upperCostNanoUsd(model, { promptTokens, maxCompletionTokens })
  return {
    isPriced: cost !== null && (isBilledByTime || meteredSession.test(target.endpoint)),
    tokens: promptTokens + maxCompletionTokens,
    costNanoUsd: cost ?? 0,
    initialNanoUsd: cost ?? 0,
    tokenNanoUsd: 0,
    isStream: true,
  }
}

/** When a name is repeated, or in another letter case, it is unknown what the provider uses. */
const isAmbiguous = (terms: Terms) => Object.values(terms).some(isOdd)

const isOdd = (member: Member | undefined) => member !== undefined && (member.count > 1 || member.from === -1)

const longestNumber = 10
const largestNumber = 1e10 - 1

/** @returns 0 if it is not a number; some providers accept strings such as `"7"` */
const numberOf = (json: Buffer | undefined, member: Member | undefined): number =>
  json && member
    ? toNumber(json.toString('latin1', member.from, Math.min(member.to, member.from + longestNumber + 1)))
    : 0

function toNumber(text: string): number {
  if (text.length > longestNumber) return largestNumber
  const value = Number(text.replaceAll('"', ''))
  return Number.isInteger(value) && value > 0 ? Math.min(value, largestNumber) : 0
}
