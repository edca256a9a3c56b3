import type { EventEmitter } from 'node:events'
import type { ProcessLimits } from '#core/limits/process-limits.ts'
import type { LimitScope } from '#core/limits/shared-limit.ts'

export type RequestLimits = Pick<ProcessLimits, 'requests' | 'bodyBytes'>

export class RequestShare {
  readonly #limits: RequestLimits
  readonly #accountId: string
  #bytes = 0
  #isReleased = false

  private constructor(limits: RequestLimits, accountId: string) {
    this.#limits = limits
    this.#accountId = accountId
  }

  /** @returns the exhausted limit if there are too many requests */
  static take(limits: RequestLimits, accountId: string): RequestShare | LimitScope {
    return limits.requests.acquire(accountId) ?? new RequestShare(limits, accountId)
  }

  /** @returns the exhausted limit; undefined if the bytes are granted (until `release`) */
  takeBytes(count: number): LimitScope | undefined {
    const exhausted = this.#limits.bodyBytes.acquire(this.#accountId, count)
    if (!exhausted) this.#bytes += count
    return exhausted
  }

  /** What the client has not taken of the response stays in memory, and keeps the share. */
  releaseAfter(response: EventEmitter & { readonly writableLength: number; readonly destroyed: boolean }): void {
    if (response.writableLength > 0 && !response.destroyed) response.once('close', () => this.release())
    else this.release()
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#limits.requests.release(this.#accountId)
    if (this.#bytes > 0) this.#limits.bodyBytes.release(this.#accountId, this.#bytes)
  }
}
