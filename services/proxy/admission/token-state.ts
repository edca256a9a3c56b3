import { randomUUID } from 'node:crypto'
import type { Account } from '../auth/account.ts'
import { dayEndsAtMs, dayOf, monthEndsAtMs, monthOf } from './period.ts'

/** What one proxy's requests of a token, begun in one UTC day, hold and cost. Money is nano-USD. */
export interface TokenState {
  keys: { open: string; holds: string; day: string; month: string }
  dayEndsAtMs: number
  monthEndsAtMs: number
  maxOpen: number
  dayLimit: number
  monthLimit: number
  /** New for each state, because its totals start at 0. */
  reporter: string
  open: number
  held: number
  /** What the open requests have used of what they hold. */
  used: number
  /** Cost of the ended ones, and the part of it that Redis has confirmed. */
  settled: number
  reported: number
  /** Through all proxies, as Redis last said. */
  sharedDay: number
  sharedMonth: number
  /** What was neither spent nor held then. */
  sharedLeft: number
}

export const hasBudget = ({ dailyBudgetNanoUsd, monthlyBudgetNanoUsd }: Account): boolean =>
  dailyBudgetNanoUsd !== null || monthlyBudgetNanoUsd !== null

/** Whether it depends on what a request takes whether it is admitted. */
export const needsReservation = (account: Account): boolean =>
  hasBudget(account) || account.tokensPerMinute !== null || account.maxConcurrentRequests !== null

export function createTokenState({ accountId, tokenId }: Account, now: number): TokenState {
  const [day, month] = [dayOf(now), monthOf(now)]
  const keyOf = (kind: string) => `${kind}:{${accountId}}:${tokenId}`
  return {
    keys: {
      open: keyOf('open'),
      holds: `${keyOf('holds')}:${day}`,
      day: `${keyOf('spend')}:${day}`,
      month: `${keyOf('spend')}:${month}`,
    },
    dayEndsAtMs: dayEndsAtMs(now),
    monthEndsAtMs: monthEndsAtMs(now),
    maxOpen: -1,
    dayLimit: -1,
    monthLimit: -1,
    reporter: randomUUID(),
    open: 0,
    held: 0,
    used: 0,
    settled: 0,
    reported: 0,
    sharedDay: 0,
    sharedMonth: 0,
    sharedLeft: Number.POSITIVE_INFINITY,
  }
}

/** Whether the budget of the day or the month is known to be spent. */
export function isSpent(state: TokenState): boolean {
  return leftOf(state) + state.held <= 0
}

/** What is neither spent nor held by this proxy, as far as it is known here. */
export function leftOf(state: TokenState): number {
  const unreported = state.settled - state.reported
  const inDay = state.dayLimit >= 0 ? state.dayLimit - state.sharedDay : Number.POSITIVE_INFINITY
  const inMonth = state.monthLimit >= 0 ? state.monthLimit - state.sharedMonth : Number.POSITIVE_INFINITY
  return Math.min(inDay, inMonth) - unreported - state.held
}
