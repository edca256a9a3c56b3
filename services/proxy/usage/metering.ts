import type { CostSource, RequestEvent } from '#schemas/request-event.ts'
import { findEndpoint } from '#schemas/endpoints.ts'
import { costNanoUsd } from '#schemas/model-prices.ts'
import { estimateTokens, type TokenUsage } from './token-usage.ts'

const billedMethods = new Set(['POST', 'PUT', 'PATCH'])

type Metered = Pick<RequestEvent, 'promptTokens' | 'completionTokens' | 'cachedTokens' | 'costNanoUsd' | 'costSource'>

const nothing: Metered = {
  promptTokens: null,
  completionTokens: null,
  cachedTokens: null,
  costNanoUsd: null,
  costSource: 'unknown',
}
const free: Metered = { ...nothing, costNanoUsd: 0, costSource: 'exact' }

/**
 * What a request used and cost. Exact where the provider counted; estimated for a stream that broke off before it
 * said so; unknown, never 0, where there is no price.
 * @param pieces parts of a streamed completion that came
 */
export function meter(event: RequestEvent, usage: TokenUsage | undefined, pieces: number): Metered {
  if (usage) return priced(event.model, usage, 'exact')
  if (!billedMethods.has(event.method) || event.status >= 400) return free
  if (!event.streamed || !findEndpoint(event.endpoint)?.streamUsage) return nothing
  const estimate = { promptTokens: estimateTokens(event.requestBytes), completionTokens: pieces, cachedTokens: 0 }
  return priced(event.model, estimate, 'estimated')
}

function priced(model: string | null, usage: TokenUsage, source: CostSource): Metered {
  const cost = model === null ? null : costNanoUsd(model, usage)
  return { ...usage, costNanoUsd: cost, costSource: cost === null ? 'unknown' : source }
}
