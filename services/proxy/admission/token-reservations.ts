import { LRUCache } from 'lru-cache'
import { atMost } from '#core/limits/at-most.ts'
import { day, second } from '#core/units.ts'
import type { Account } from '../auth/account.ts'
import type { ReservationReply, ReservationTerms, LimitCalls } from './limit-calls.ts'
import { createTokenState, type TokenState } from './token-state.ts'

/** A dead proxy's reservations expire after this. */
const leaseMs = 10 * second
const heartbeatMs = 2 * second
/** Changes within this time are reported together. It is short because near a limit other proxies wait for them. */
const reportMs = 20
const leisurelyReportMs = 200
const retryMs = second
/** Spending is reported in steps of this fraction of the budget. */
const stepsOfBudget = 2_000

const unlimited = -1

/**
 * Whether a request may take what is left of a budget if that is less than it wants. A request that can't be ended
 * early may do so only while more than a sixteenth of the budget is unspent, and first waits for others' reservations.
 */
export const Remainder = { never: -1, ifNothingIsReserved: 0, whileEarly: 1, always: 2 } as const

/** The amount to reserve from the token's budget. */
export interface Want {
  nanoUsd: number
  remainder: (typeof Remainder)[keyof typeof Remainder]
}

const nothing: Want = { nanoUsd: 0, remainder: Remainder.always }

/**
 * The reservations of this proxy's requests: money of budgets, and slots of concurrent requests. They are shared
 * through Redis as absolute states, which are resent while requests are open and until Redis confirms them.
 */
export class TokenReservations {
  readonly #calls: LimitCalls
  /** Evicting a state loses whatever Redis does not have yet. */
  readonly #states = new LRUCache<string, TokenState>(atMost(20_000))
  readonly #current = new WeakMap<Account, TokenState>()
  readonly #changed = new Set<TokenState>()
  readonly #open = new Set<TokenState>()
  readonly #heartbeat: NodeJS.Timeout
  #timer: NodeJS.Timeout | undefined
  /** When the timer fires; infinity without a timer. */
  #reportsAtMs = Number.POSITIVE_INFINITY
  #isReporting = false

  constructor(calls: LimitCalls) {
    this.#calls = calls
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs).unref()
  }

  /** The token's state for today, with the account's current limits. */
  stateOf(account: Account): TokenState {
    const now = Date.now()
    const current = this.#current.get(account)
    if (current && now < current.dayEndsAtMs) return current
    const key = stateKey(account, now)
    let state = this.#states.get(key)
    if (!state) {
      state = createTokenState(account, now)
      this.#inherit(state, account, now)
      this.#states.set(key, state)
    }
    this.#current.set(account, state)
    state.maxOpen = account.maxConcurrentRequests ?? unlimited
    state.dayLimit = account.dailyBudgetNanoUsd ?? unlimited
    state.monthLimit = account.monthlyBudgetNanoUsd ?? unlimited
    return state
  }

  /** Counts requests as open until `remove`, with all that they want reserved until the reply arrives. */
  add(state: TokenState, wantedNanoUsd: number, requests = 1): void {
    state.open += requests
    state.reserved += wantedNanoUsd
    this.#open.add(state)
  }

  /** @param costNanoUsd total cost of the requests */
  remove(state: TokenState, reservedNanoUsd: number, costNanoUsd: number, requests = 1): void {
    state.open -= requests
    state.reserved -= reservedNanoUsd
    state.endedCost += costNanoUsd
    this.changed(state)
  }

  /** Reports the usage of open requests in steps, so that little is lost if the proxy dies. */
  used(state: TokenState, nanoUsd: number): void {
    state.used += nanoUsd
    if (isStep(state, state.used - state.reportedUsed)) this.changed(state)
  }

  changed(state: TokenState): void {
    this.#changed.add(state)
    this.#schedule(state, Date.now())
  }

  #schedule(state: TokenState, now: number): void {
    const isUrgent = now >= state.leaseEndsAtMs || isStep(state, state.endedCost - state.reported)
    this.#reportAt(now + (isUrgent ? reportMs : leisurelyReportMs), now)
  }

  /** Call it before `add`: the terms must not include the new request. */
  termsOf(state: TokenState, { nanoUsd, remainder }: Want): ReservationTerms {
    const { keys, reporter, open, reserved, used, endedCost, maxOpen, dayLimit, monthLimit } = state
    this.#changed.delete(state)
    state.reportedUsed = used
    const own = [reporter, leaseMs, open, reserved, used, endedCost]
    const limits = [maxOpen, dayLimit, monthLimit, state.dayEndsAtMs, state.monthEndsAtMs]
    return {
      keys: [keys.open, keys.reservations, keys.day, keys.month, ...keys.neighbours],
      args: [...own, nanoUsd, remainder, ...limits],
    }
  }

  /** @param endedCost value that the call reported */
  learn(state: TokenState, reply: ReservationReply, endedCost: number): void {
    state.reported = Math.max(state.reported, endedCost)
    state.sharedDay = Math.max(state.sharedDay, reply.spentInDay)
    state.sharedMonth = Math.max(state.sharedMonth, reply.spentInMonth)
    state.sharedLeft = reply.leftNanoUsd
    state.openElsewhere = reply.openElsewhere
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    await this.#report()
    clearTimeout(this.#timer)
  }

  /** While a report is in flight, its end schedules the next one. */
  #reportAt(atMs: number, now: number): void {
    if (this.#isReporting || atMs >= this.#reportsAtMs) return
    this.#reportsAtMs = atMs
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#report(), atMs - now)
  }

  #beat(): void {
    for (const state of this.#open) {
      if (state.open === 0) this.#open.delete(state)
      this.changed(state)
    }
  }

  /** A new day of the same month starts with the month's spending so far. */
  #inherit(state: TokenState, account: Account, now: number): void {
    const yesterday = this.#states.get(stateKey(account, now - day))
    if (yesterday?.keys.month !== state.keys.month) return
    state.sharedMonth = yesterday.sharedMonth + yesterday.endedCost - yesterday.reported
  }

  async #report(): Promise<void> {
    this.#isReporting = true
    const changed = [...this.#changed]
    this.#changed.clear()
    const results = await Promise.allSettled(changed.map((state) => this.#reportOne(state)))
    this.#isReporting = false
    this.#reportsAtMs = Number.POSITIVE_INFINITY
    results.forEach(({ status }, at) => status === 'rejected' && this.#changed.add(changed[at]!))
    const now = Date.now()
    if (results.some(({ status }) => status === 'rejected')) this.#reportAt(now + retryMs, now)
    else for (const state of this.#changed) this.#schedule(state, now)
  }

  async #reportOne(state: TokenState): Promise<void> {
    const { endedCost } = state
    const reply = await this.#calls.reserve([], 0, 0, this.termsOf(state, nothing))
    this.learn(state, reply, endedCost)
  }
}

/** Whether the amount is worth a report. */
function isStep({ dayLimit, monthLimit }: TokenState, nanoUsd: number): boolean {
  const budget = dayLimit < 0 ? monthLimit : dayLimit
  return budget >= 0 && nanoUsd * stepsOfBudget >= budget
}

/** UTC days have a constant length. */
const stateKey = ({ tokenId }: Account, now: number): string => `${tokenId}:${Math.floor(now / day)}`
