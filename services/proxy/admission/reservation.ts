import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '#core/units.ts'
import type { Estimate } from './estimate.ts'
import { Remainder, type TokenReservations, type Want } from './token-reservations.ts'
import { isBudgeted, leftOf, type TokenState } from './token-state.ts'

/** A stream reserves the cost of this many tokens at a time, or this fraction of the budget that is left, if more. */
const leastTokens = 16
const sliceOfLeft = 1 / 256

/** How long a request waits for money that others have reserved; longer than the reservations of a dead proxy last. */
export const patienceMs = 12 * second
const [leastPauseMs, pauseRangeMs] = [50, 100]

export const pauseForOthers = (): Promise<void> => sleep(leastPauseMs + Math.random() * pauseRangeMs)

export interface MoreMoney {
  nanoUsd: number
  isReservedByOthers: boolean
}

/** A request's first reservation. Streams reserve in slices, so that many of them can share the budget. */
export function firstWant({ costNanoUsd, initialNanoUsd, tokenNanoUsd, isStream }: Estimate, state: TokenState): Want {
  if (!isBudgeted(state)) return { nanoUsd: 0, remainder: Remainder.never }
  if (!isStream) return { nanoUsd: costNanoUsd, remainder: Remainder.ifNothingIsReserved }
  const slice = Math.max(initialNanoUsd + leastTokens * tokenNanoUsd, leftAtMost(state) * sliceOfLeft)
  return { nanoUsd: Math.ceil(Math.min(costNanoUsd, slice)), remainder: Remainder.always }
}

/** Until the first reply, only the reservations of this proxy are known. */
const leftAtMost = (state: TokenState) => Math.min(state.sharedLeft, leftOf(state))

/** A slot among a token's concurrent requests, and the part of its budget that the request may use. */
export class Reservation {
  readonly #reservations: TokenReservations
  readonly #state: TokenState
  readonly #estimate: Estimate
  readonly #ask: (want: Want) => Promise<MoreMoney>
  #reservedNanoUsd: number
  #usedNanoUsd = 0
  #isOver = false

  /** @param ask reserves more */
  constructor(
    reservations: TokenReservations,
    state: TokenState,
    estimate: Estimate,
    reservedNanoUsd: number,
    ask: (want: Want) => Promise<MoreMoney>,
  ) {
    this.#reservations = reservations
    this.#state = state
    this.#estimate = estimate
    this.#reservedNanoUsd = reservedNanoUsd
    this.#ask = ask
  }

  /** Whether the token has a budget. Concurrency limits use reservations too. */
  get isBudgeted(): boolean {
    return isBudgeted(this.#state)
  }

  /** @param tokens of a stream so far, estimated from its pieces @returns whether they exceed the reservation */
  recordTokens(tokens: number): boolean {
    if (!this.isBudgeted) return false
    return this.recordCost(this.#estimate.initialNanoUsd + tokens * this.#estimate.tokenNanoUsd)
  }

  /** @param nanoUsd cost of the request so far @returns whether it exceeds the reservation */
  recordCost(nanoUsd: number): boolean {
    const used = Math.ceil(nanoUsd)
    if (this.#isOver || used <= this.#usedNanoUsd) return false
    this.#reservations.used(this.#state, used - this.#usedNanoUsd)
    this.#usedNanoUsd = used
    return used > this.#reservedNanoUsd
  }

  /** Reserves the next slice, or what is left of it. @returns whether it covers the usage so far */
  async extend(): Promise<boolean> {
    const state = this.#state
    const missing = this.#usedNanoUsd - this.#reservedNanoUsd
    const { costNanoUsd, tokenNanoUsd } = this.#estimate
    const slice = Math.max(leastTokens * tokenNanoUsd, leftAtMost(state) * sliceOfLeft)
    const most = Math.max(costNanoUsd, leastTokens * tokenNanoUsd)
    const want = { nanoUsd: missing + Math.ceil(Math.min(most, slice)), remainder: Remainder.always }
    const endsAt = performance.now() + patienceMs
    for (;;) {
      const { nanoUsd, isReservedByOthers } = await this.#ask(want)
      if (!this.#take(nanoUsd)) return false
      if (!isReservedByOthers || performance.now() >= endsAt) return nanoUsd >= missing && nanoUsd > 0
      await pauseForOthers()
    }
  }

  /**
   * Reserves all that is missing, or nothing.
   * @param costNanoUsd of a session so far
   * @returns whether that many responses at once are covered, too
   */
  async cover(costNanoUsd: number, responses: number): Promise<boolean> {
    const missing = Math.ceil(costNanoUsd + responses * this.#estimate.costNanoUsd) - this.#reservedNanoUsd
    if (missing <= 0) return true
    const { nanoUsd } = await this.#ask({ nanoUsd: missing, remainder: Remainder.never })
    return this.#take(nanoUsd) && nanoUsd === missing
  }

  /** @returns false if the request has ended meanwhile */
  #take(nanoUsd: number): boolean {
    if (this.#isOver) {
      this.#state.reserved -= nanoUsd
      this.#reservations.changed(this.#state)
      return false
    }
    this.#reservedNanoUsd += nanoUsd
    return true
  }

  /** @param costNanoUsd null if unknown: the whole reservation then counts as spent */
  complete(costNanoUsd: number | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#state.used -= this.#usedNanoUsd
    const spent = costNanoUsd ?? Math.max(this.#reservedNanoUsd, this.#usedNanoUsd)
    this.#reservations.remove(this.#state, this.#reservedNanoUsd, spent)
  }
}
