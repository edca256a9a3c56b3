import type { SecureTokenRow } from '#store/postgres/credentials/secure-tokens.ts'
import { nanoUsdPerUsd } from '#core/units.ts'

/** A table row that shows whether a token works, and every limit that may cause a 403 or 429. */
export const toTokenRow = (token: SecureTokenRow) => ({
  NAME: token.name,
  TOKEN: token.maskedToken,
  STATE: stateOf(token),
  'LIMITED TO': [...limitsOf(token)].join(', ') || '-',
})

function stateOf({ isActive, expiresAt }: SecureTokenRow): string {
  if (expiresAt && expiresAt.getTime() <= Date.now()) return `expired ${expiresAt.toISOString().slice(0, 10)}`
  return isActive ? 'active' : 'switched off'
}

function* limitsOf(token: SecureTokenRow): Generator<string> {
  const { models, allowedAddresses, requestsPerMinute, tokensPerMinute, maxConcurrentRequests } = token
  if (models) yield `models ${models.join(' ')}`
  if (allowedAddresses) yield `addresses ${allowedAddresses.join(' ')}`
  if (requestsPerMinute !== null) yield `${requestsPerMinute} requests a minute`
  if (tokensPerMinute !== null) yield `${tokensPerMinute} tokens a minute`
  if (maxConcurrentRequests !== null) yield `${maxConcurrentRequests} requests at once`
  if (token.dailyBudgetNanoUsd !== null) yield `${usdText(token.dailyBudgetNanoUsd)} a day`
  if (token.monthlyBudgetNanoUsd !== null) yield `${usdText(token.monthlyBudgetNanoUsd)} a month`
}

const usdText = (nanoUsd: number) => `$${nanoUsd / nanoUsdPerUsd}`
