import type { CostSource, RequestEvent } from '#schemas/request-event.ts'
import { findEndpoint } from '#schemas/endpoints.ts'
import { costNanoUsd } from '#schemas/model-prices.ts'
import type { TokenUsage } from './token-usage.ts'

const billedMethods = new Set(['POST', 'PUT', 'PATCH'])

type Metered = Pick<RequestEvent, 'promptTokens' | 'completionTokens' | 'cachedTokens' | 'costNanoUsd' | 'costSource'>

const unknown: Metered = {
  promptTokens: null,
  completionTokens: null,
  cachedTokens: null,
  costNanoUsd: null,
  costSource: 'unknown',
}
const free: Metered = { ...unknown, costNanoUsd: 0, costSource: 'exact' }

/** About four characters of English text make a token. */
const bytesPerToken = 4

/**
 * Tokens and cost of a request: exact if the provider reported its usage, estimated for a stream that broke off before.
 * @param pieces of a streamed completion: about one token each
 */
export function meter(event: RequestEvent, usage: TokenUsage | undefined, pieces: number): Metered {
  if (usage) return withCost(event.model, usage, 'exact')
  if (!billedMethods.has(event.method) || event.status >= 400) return free
  if (!event.streamed || !findEndpoint(event.endpoint)?.streamUsage) return unknown
  const promptTokens = Math.ceil(event.requestBytes / bytesPerToken)
  return withCost(event.model, { promptTokens, completionTokens: pieces, cachedTokens: 0 }, 'estimated')
}

/** Adds a response of a session to the sums of the session. The cost is unknown as soon as that of one response is. */
export function meterSession(event: RequestEvent, model: string | null, usage: TokenUsage): Metered {
  const isFirst = event.promptTokens === null
  const one = withCost(model, usage, 'exact')
  const costs = [isFirst ? 0 : event.costNanoUsd, one.costNanoUsd]
  const cost = costs.includes(null) ? null : costs.reduce<number>((sum, part) => sum + (part ?? 0), 0)
  return {
    promptTokens: (event.promptTokens ?? 0) + usage.promptTokens,
    completionTokens: (event.completionTokens ?? 0) + usage.completionTokens,
    cachedTokens: (event.cachedTokens ?? 0) + usage.cachedTokens,
    costNanoUsd: cost,
    costSource: cost === null ? 'unknown' : 'exact',
  }
}

function withCost(model: string | null, usage: TokenUsage, source: CostSource): Metered {
  const cost = model === null ? null : costNanoUsd(model, usage)
  return { ...usage, costNanoUsd: cost, costSource: cost === null ? 'unknown' : source }
}
