import { minute as windowMs, second } from '#core/units.ts'
import type { LimitsOf } from '#shared/plan-limits.ts'
import { quotaKey } from '#store/redis/quota-usage.ts'
import type { Account } from '../auth/account.ts'
import type { LimitErrorCode } from '../response/error-responses.ts'
import { dayEndsAtMs, dayOf, monthEndsAtMs, monthOf } from '#core/period.ts'

/** A limit on a count within a time window. */
export interface LimitRule {
  /** Name in the `RateLimit` and `RateLimit-Policy` headers. */
  name: string
  /** Redis key. */
  key: string
  unit: 'requests' | 'tokens'
  limit: number
  code: LimitErrorCode
  /** When the window ends; undefined for a minute window, which begins with its first request. */
  endsAtMs: number | undefined
}

export interface AccountLimits {
  rules: readonly LimitRule[]
  /** Value of the `RateLimit-Policy` header. */
  policy: string
  /** When the first of the rules' periods ends. */
  validUntilMs: number
}

/** The lease key: that of the last rule, which is the narrowest (the token's, if it has one). */
export const keyOf = (rules: readonly LimitRule[]): string => rules.at(-1)?.key ?? ''

export const rulesEndAtMs = (rule: LimitRule, now: number): number => rule.endsAtMs ?? now + windowMs

/** How much of a limit a request uses. A request for more tokens than the limit uses all of it. */
export const amountFor = ({ unit, limit }: LimitRule, tokens: number, requests = 1): number =>
  unit === 'requests' ? requests : Math.min(tokens, limit)

/** Compiles the limits of account, plan and token, and caches them until the account changes. */
export function createAccountLimits(limitsOf: LimitsOf): (account: Account, now: number) => AccountLimits {
  const compiled = new WeakMap<Account, AccountLimits>()
  return (account, now) => {
    let limits = compiled.get(account)
    if (!limits || limits.validUntilMs <= now) {
      limits = compile(account, limitsOf, now)
      compiled.set(account, limits)
    }
    return limits
  }
}

function compile(account: Account, limitsOf: LimitsOf, now: number): AccountLimits {
  const rules = [...accountRules(account), ...planRules(account, limitsOf, now), ...tokenRules(account)]
  return {
    rules,
    policy: rules.map(policyOf).join(', '),
    validUntilMs: dayEndsAtMs(now),
  }
}

function* accountRules({ accountId, rateLimitEnabled, maxRequestsPerMinute }: Account): Generator<LimitRule> {
  if (!rateLimitEnabled) return
  const key = `limit:{${accountId}}:minute`
  yield minuteRule({ name: 'account-minute', key, limit: maxRequestsPerMinute, code: 'rate_limited' })
}

function* planRules({ accountId, plan }: Account, limitsOf: LimitsOf, now: number): Generator<LimitRule> {
  const { requestsPerDay, requestsPerMonth } = limitsOf(plan)
  const rule = { unit: 'requests', code: 'quota_exceeded' } as const
  if (requestsPerDay !== null) {
    const period = { key: quotaKey(accountId, dayOf(now)), endsAtMs: dayEndsAtMs(now) }
    yield { ...rule, ...period, name: 'plan-day', limit: requestsPerDay }
  }
  if (requestsPerMonth !== null) {
    const period = { key: quotaKey(accountId, monthOf(now)), endsAtMs: monthEndsAtMs(now) }
    yield { ...rule, ...period, name: 'plan-month', limit: requestsPerMonth }
  }
}

function* tokenRules({ accountId, tokenId, requestsPerMinute, tokensPerMinute }: Account): Generator<LimitRule> {
  const prefix = `limit:{${accountId}}:${tokenId}`
  if (requestsPerMinute !== null) {
    const key = `${prefix}:minute`
    yield minuteRule({ name: 'token-minute', key, limit: requestsPerMinute, code: 'token_rate_limited' })
  }
  if (tokensPerMinute !== null) {
    const rule = { name: 'token-tokens', key: `${prefix}:tokens`, limit: tokensPerMinute } as const
    yield { ...minuteRule({ ...rule, code: 'token_tokens_limited' }), unit: 'tokens' }
  }
}

const minuteRule = (rule: Pick<LimitRule, 'name' | 'key' | 'limit' | 'code'>): LimitRule => ({
  ...rule,
  unit: 'requests',
  endsAtMs: undefined,
})

const daySeconds = 86_400

/** The window of a calendar month is omitted, because its length varies. */
function policyOf({ name, limit, unit }: LimitRule): string {
  const quotaUnit = unit === 'requests' ? '' : `;qu="${unit}"`
  if (name === 'plan-month') return `"${name}";q=${limit}`
  return `"${name}";q=${limit}${quotaUnit};w=${name === 'plan-day' ? daySeconds : windowMs / second}`
}
