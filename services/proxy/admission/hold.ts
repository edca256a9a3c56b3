import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '#core/units.ts'
import type { Estimate } from './estimate.ts'
import { Rest, type TokenHolds, type Want } from './token-holds.ts'
import { leftOf, type TokenState } from './token-state.ts'

/** A stream holds at least so many pieces at a time, and this part of what is left while that is more. */
const leastPieces = 16
const sliceOfLeft = 1 / 256

/** How long a request waits for money of a budget that others hold: longer than a dead proxy holds any. */
export const patienceMs = 12 * second
const [leastPauseMs, pauseRangeMs] = [50, 100]

export const pauseForOthers = (): Promise<void> => sleep(leastPauseMs + Math.random() * pauseRangeMs)

export interface MoreMoney {
  nanoUsd: number
  isHeldByOthers: boolean
}

/** What a request wants at first: a stream takes slices, so that many of them share what is left. */
export function firstWant({ costNanoUsd, promptNanoUsd, pieceNanoUsd, isStream }: Estimate, state: TokenState): Want {
  if (!isStream) return { nanoUsd: costNanoUsd, rest: Rest.ifNothingIsHeld }
  const slice = Math.max(promptNanoUsd + leastPieces * pieceNanoUsd, leftAtMost(state) * sliceOfLeft)
  return { nanoUsd: Math.ceil(Math.min(costNanoUsd, slice)), rest: Rest.always }
}

/** Before the first reply it is known only what this proxy holds. */
const leftAtMost = (state: TokenState) => Math.min(state.sharedLeft, leftOf(state))

/** A place among a token's open requests, and the part of its budget that the request may use. */
export class Hold {
  readonly #holds: TokenHolds
  readonly #state: TokenState
  readonly #estimate: Estimate
  readonly #ask: (want: Want) => Promise<MoreMoney>
  #heldNanoUsd: number
  #usedNanoUsd = 0
  #isOver = false

  /** @param ask holds more. @returns what was granted */
  constructor(
    holds: TokenHolds,
    state: TokenState,
    estimate: Estimate,
    heldNanoUsd: number,
    ask: (want: Want) => Promise<MoreMoney>,
  ) {
    this.#holds = holds
    this.#state = state
    this.#estimate = estimate
    this.#heldNanoUsd = heldNanoUsd
    this.#ask = ask
  }

  /** Whether the token has a budget: requests at once are held without one, too. */
  get isOfBudget(): boolean {
    return this.#state.dayLimit >= 0 || this.#state.monthLimit >= 0
  }

  /** Whether a stream of so many pieces has used more than it holds. */
  isOutrun(pieces: number): boolean {
    if (!this.isOfBudget) return false
    return this.uses(this.#estimate.promptNanoUsd + pieces * this.#estimate.pieceNanoUsd)
  }

  /** @returns whether that is more than it holds */
  uses(nanoUsd: number): boolean {
    const used = Math.ceil(nanoUsd)
    if (this.#isOver || used <= this.#usedNanoUsd) return false
    this.#holds.used(this.#state, used - this.#usedNanoUsd)
    this.#usedNanoUsd = used
    return used > this.#heldNanoUsd
  }

  /** Holds the next slice, as far as there is money left. @returns whether there was enough of it */
  async extend(): Promise<boolean> {
    const state = this.#state
    const missing = this.#usedNanoUsd - this.#heldNanoUsd
    const { costNanoUsd, pieceNanoUsd } = this.#estimate
    const slice = Math.max(leastPieces * pieceNanoUsd, leftAtMost(state) * sliceOfLeft)
    const most = Math.max(costNanoUsd, leastPieces * pieceNanoUsd)
    const want = { nanoUsd: missing + Math.ceil(Math.min(most, slice)), rest: Rest.always }
    const endsAt = Date.now() + patienceMs
    for (;;) {
      const { nanoUsd, isHeldByOthers } = await this.#ask(want)
      if (this.#isOver) {
        state.held -= nanoUsd
        this.#holds.changed(state)
        return false
      }
      this.#heldNanoUsd += nanoUsd
      if (!isHeldByOthers || Date.now() >= endsAt) return nanoUsd >= missing && nanoUsd > 0
      await pauseForOthers()
    }
  }

  /** @param costNanoUsd null: unknown, so that all that was held counts as spent */
  settle(costNanoUsd: number | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#state.used -= this.#usedNanoUsd
    this.#holds.remove(this.#state, this.#heldNanoUsd, costNanoUsd ?? Math.max(this.#heldNanoUsd, this.#usedNanoUsd))
  }
}
