import type { ApiKeyState } from '#schemas/api-keys.ts'
import type { KeyState, ObservedLimits } from '#store/redis/key-states.ts'

export function toApiKeyState(id: string, { failure, limits, recoveredAtMs = 0 }: KeyState) {
  const isCooling = failure && failure.cooldownUntilMs > Date.now() && recoveredAtMs < failure.atMs
  const state: Omit<ApiKeyState, 'otherOrigin'> = {
    id,
    cooldown: isCooling
      ? { until: isoTime(failure.cooldownUntilMs), status: failure.status, endpoint: failure.endpoint }
      : null,
    limits: limits ? toLimits(limits) : null,
    lastError: failure ? { status: failure.status, message: failure.message, at: isoTime(failure.atMs) } : null,
  }
  return state
}

const toLimits = ({ requests, maxRequests, tokens, maxTokens, observedAtMs }: ObservedLimits) => ({
  requests: toRemaining(requests, maxRequests),
  tokens: toRemaining(tokens, maxTokens),
  at: isoTime(observedAtMs),
})

function toRemaining(left: string | undefined, limit: string | undefined) {
  const count = numberOf(left)
  return count === null ? null : { left: count, limit: numberOf(limit) }
}

/** Providers may send anything in a header. */
function numberOf(text: string | undefined): number | null {
  const number = Number(text?.trim() || Number.NaN)
  return Number.isFinite(number) ? number : null
}

const isoTime = (ms: number) => new Date(ms).toISOString()
