import type { RequestEvent } from '#schemas/request-event.ts'

/** How much of a request's time the provider takes, and how much the gateway. */
export class RequestTiming {
  readonly #arrivedAt: number
  #dispatchedAt = 0
  #providerDoneAt = 0

  /** @param arrivedAt by the monotonic clock */
  constructor(arrivedAt: number) {
    this.#arrivedAt = arrivedAt
  }

  /** The request is sent to the provider. */
  dispatched(): void {
    this.#dispatchedAt = performance.now()
  }

  /** The provider's response has ended; the first call counts. */
  providerDone(): void {
    this.#providerDoneAt ||= performance.now()
  }

  /** Since the request arrived. @param at by the monotonic clock */
  elapsedMs(at = performance.now()): number {
    return Math.round(at - this.#arrivedAt)
  }

  /** The log of an attempt that ends now. @param startedAt by the monotonic clock */
  attempt(apiKeyId: string, startedAt: number, result: string): RequestEvent['attemptLog'][number] {
    const durationMs = Math.round(performance.now() - startedAt)
    return { apiKeyId, startedAfterMs: this.elapsedMs(startedAt), durationMs, result }
  }

  /** Time not spent waiting for the provider, µs. */
  overheadUs(): number {
    const now = performance.now()
    const upstreamMs = this.#dispatchedAt === 0 ? 0 : (this.#providerDoneAt || now) - this.#dispatchedAt
    return Math.round((now - this.#arrivedAt - upstreamMs) * 1_000)
  }

  /** The value of `x-sallyport-overhead-ms`. */
  overheadMs(): string {
    return (this.overheadUs() / 1_000).toFixed(2)
  }

  /** The value of `server-timing`. */
  header(overheadMs = this.overheadMs()): string {
    const upstreamMs = (this.#providerDoneAt || performance.now()) - this.#dispatchedAt
    return `gateway;dur=${overheadMs}, upstream;dur=${upstreamMs.toFixed(1)}`
  }
}
