import type { RequestEvent } from '#schemas/request-event.ts'

/** Splits the time of a request between the provider and the gateway. */
export class RequestTiming {
  readonly #arrivedAt: number
  #dispatchedAt = 0
  #providerDoneAt = 0

  /** @param arrivedAt `performance.now()` on arrival */
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

  /** Time since the request arrived. @param at from `performance.now()` */
  elapsedMs(at = performance.now()): number {
    return Math.round(at - this.#arrivedAt)
  }

  /** The log entry of an attempt that ends now. @param startedAt from `performance.now()` */
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
