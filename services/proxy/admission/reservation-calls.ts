import type { ReservationReply, LimitCalls } from './limit-calls.ts'
import type { AccountLimits, LimitRule } from './limit-rules.ts'
import { Remainder, type TokenReservations, type Want } from './token-reservations.ts'
import type { TokenState } from './token-state.ts'

interface Ask extends PromiseWithResolvers<ReservationReply> {
  limits: AccountLimits
  tokens: number
  want: Want
}

/**
 * Asks Redis to admit requests of a token. While a call for the token is in flight, requests of one turn of the event
 * loop share the next one: all are granted together, or each asks on its own.
 */
export class ReservationCalls {
  readonly #calls: LimitCalls
  readonly #reservations: TokenReservations
  readonly #queued = new Map<TokenState, Ask[]>()
  readonly #inFlight = new Map<TokenState, number>()

  constructor(calls: LimitCalls, reservations: TokenReservations) {
    this.#calls = calls
    this.#reservations = reservations
  }

  /** @throws Error when Redis does not respond */
  ask(state: TokenState, limits: AccountLimits, tokens: number, want: Want): Promise<ReservationReply> {
    if (!this.#inFlight.has(state)) return this.send(state, limits.rules, tokens, want, 1)
    const ask = { limits, tokens, want, ...Promise.withResolvers<ReservationReply>() }
    const queued = this.#queued.get(state)
    if (queued) queued.push(ask)
    else {
      this.#queued.set(state, [ask])
      setImmediate(() => this.#flush(state))
    }
    return ask.promise
  }

  #flush(state: TokenState): void {
    const asks = this.#queued.get(state) ?? []
    this.#queued.delete(state)
    const tokens = asks.reduce((sum, ask) => sum + ask.tokens, 0)
    const { limits } = asks[0]!
    // Capping an amount at the limit is correct only for a single request.
    const isTooMuch = limits.rules.some(({ unit, limit }) => unit === 'tokens' && tokens > limit)
    if (asks.length === 1 || isTooMuch || asks.some((ask) => ask.limits !== limits)) return this.#sendEach(state, asks)
    void this.#sendTogether(state, asks, limits, tokens)
  }

  async #sendTogether(state: TokenState, asks: readonly Ask[], limits: AccountLimits, tokens: number): Promise<void> {
    const nanoUsd = asks.reduce((sum, { want }) => sum + want.nanoUsd, 0)
    const want = { nanoUsd, remainder: Remainder.never }
    try {
      const reply = await this.send(state, limits.rules, tokens, want, asks.length)
      if (reply.isGranted) asks.forEach((ask, at) => ask.resolve(shareOf(reply, ask, asks.length - 1 - at)))
      else this.#sendEach(state, asks)
    } catch (error) {
      for (const { reject } of asks) reject(error)
    }
  }

  #sendEach(state: TokenState, asks: readonly Ask[]): void {
    for (const { limits, tokens, want, resolve, reject } of asks) {
      this.send(state, limits.rules, tokens, want, 1).then(resolve, reject)
    }
  }

  /**
   * Asks for requests that are granted together, or with 0 of them for more money of an open one. They count as open,
   * with all that they want, until the reply arrives.
   * @throws Error when Redis does not respond
   */
  async send(
    state: TokenState,
    rules: readonly LimitRule[],
    tokens: number,
    want: Want,
    requests: number,
  ): Promise<ReservationReply> {
    const { endedCost } = state
    const call = this.#calls.reserve(rules, tokens, requests, this.#reservations.termsOf(state, want))
    this.#reservations.add(state, want.nanoUsd, requests)
    this.#inFlight.set(state, (this.#inFlight.get(state) ?? 0) + 1)
    try {
      const reply = await call
      this.#reservations.learn(state, reply, endedCost)
      state.reserved -= want.nanoUsd - reply.reservedNanoUsd
      const rejected = reply.isGranted ? 0 : requests
      state.open -= rejected
      // A later call in flight counts them as open.
      if (rejected > 0 || reply.reservedNanoUsd < want.nanoUsd) this.#reservations.changed(state)
      return reply
    } catch (error) {
      this.#reservations.remove(state, want.nanoUsd, 0, requests)
      throw error
    } finally {
      const others = this.#inFlight.get(state)! - 1
      if (others === 0) this.#inFlight.delete(state)
      else this.#inFlight.set(state, others)
    }
  }
}

/** @param later number of requests in the call after this one */
const shareOf = (reply: ReservationReply, { want }: Ask, later: number): ReservationReply => ({
  ...reply,
  reservedNanoUsd: want.nanoUsd,
  windows: reply.windows.map((window) =>
    window.rule.unit === 'requests' ? { ...window, used: window.used - later } : window,
  ),
})
