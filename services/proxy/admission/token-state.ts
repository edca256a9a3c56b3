import { randomUUID } from 'node:crypto'
import { dayEndsAtMs, monthEndsAtMs } from '#core/period.ts'
import { budgetParts } from '#schemas/secure-tokens.ts'
import { spendingKeys } from '#store/redis/token-spending.ts'
import type { Account } from '../auth/account.ts'

/** Reservations and costs of a token's requests in one proxy that began in one UTC day. Money is in nano-USD. */
export interface TokenState {
  keys: ReturnType<typeof spendingKeys> & { open: string }
  dayEndsAtMs: number
  monthEndsAtMs: number
  maxOpen: number
  dayLimit: number
  monthLimit: number
  /** A new id for each state, because its totals start at 0. */
  reporter: string
  open: number
  reserved: number
  /** How much of their reservations the open requests have used. */
  used: number
  reportedUsed: number
  /** Cost of the ended requests, and the part that Redis has confirmed. */
  endedCost: number
  reported: number
  /** Spent by all proxies, as last reported by Redis. */
  sharedDay: number
  sharedMonth: number
  /** Of this proxy's last lease. Leases are granted only far from the limits. */
  leaseEndsAtMs: number
  /** The unspent and unreserved part of the budget in the last reply. */
  sharedLeft: number
  /** Open requests of other proxies in the last reply. */
  openElsewhere: number
}

export const hasBudget = ({ dailyBudgetNanoUsd, monthlyBudgetNanoUsd }: Account): boolean =>
  dailyBudgetNanoUsd !== null || monthlyBudgetNanoUsd !== null

/** Whether admission depends on a request's estimated usage or on the number of open requests. */
export const needsReservation = (account: Account): boolean =>
  hasBudget(account) || account.tokensPerMinute !== null || account.maxConcurrentRequests !== null

export function createTokenState({ accountId, tokenId }: Account, now: number): TokenState {
  return {
    keys: { ...spendingKeys(accountId, String(tokenId), now), open: `open:{${accountId}}:${tokenId}` },
    dayEndsAtMs: dayEndsAtMs(now),
    monthEndsAtMs: monthEndsAtMs(now),
    maxOpen: -1,
    dayLimit: -1,
    monthLimit: -1,
    reporter: randomUUID(),
    open: 0,
    reserved: 0,
    used: 0,
    reportedUsed: 0,
    endedCost: 0,
    reported: 0,
    sharedDay: 0,
    sharedMonth: 0,
    leaseEndsAtMs: 0,
    sharedLeft: Number.POSITIVE_INFINITY,
    openElsewhere: 0,
  }
}

export const isBudgeted = ({ dayLimit, monthLimit }: TokenState): boolean => dayLimit >= 0 || monthLimit >= 0

const inWhole = Number.POSITIVE_INFINITY

const unreported = (state: TokenState) => state.endedCost - state.reported
const unspentOfDay = (state: TokenState) =>
  state.dayLimit < 0 ? inWhole : state.dayLimit - state.sharedDay - unreported(state)
const unspentOfMonth = (state: TokenState) =>
  state.monthLimit < 0 ? inWhole : state.monthLimit - state.sharedMonth - unreported(state)

/** Whether the budget of the day or the month is known to be spent. */
export const isSpent = (state: TokenState): boolean => unspentOfDay(state) <= 0 || unspentOfMonth(state) <= 0

/** Whether more than one of the `budgetParts` parts of each budget is unspent, as far as this proxy knows. */
export const isEarly = (state: TokenState): boolean =>
  (unspentOfDay(state) - state.used) * budgetParts > state.dayLimit &&
  (unspentOfMonth(state) - state.used) * budgetParts > state.monthLimit

/** The part of the budget that is neither spent nor reserved, as far as this proxy knows. */
export const leftOf = (state: TokenState): number =>
  Math.min(unspentOfDay(state), unspentOfMonth(state)) - state.reserved

/** The budget that a request has to wait for. Money reserved by others is not left. */
export function nearestBudget(state: TokenState) {
  const isMonth = unspentOfMonth(state) <= Math.max(0, unspentOfDay(state))
  const left = Math.max(0, Math.min(leftOf(state), state.sharedLeft))
  return isMonth
    ? { period: 'month', limit: state.monthLimit, left, endsAtMs: state.monthEndsAtMs }
    : { period: 'day', limit: state.dayLimit, left, endsAtMs: state.dayEndsAtMs }
}
