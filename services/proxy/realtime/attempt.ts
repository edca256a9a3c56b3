import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import { withSingleValues } from '../request/headers.ts'
import type { ProviderKey } from '../auth/credential-cache.ts'

/** What a session decides on how one of its handshakes ends; each ends once. */
export interface RealtimeAttemptOwner {
  /** The provider agreed. */
  joined(attempt: RealtimeAttempt, status: number, headers: IncomingHttpHeaders, upstream: Duplex): void
  /** It answered like any other request: with this key there will be no WebSocket. */
  declined(attempt: RealtimeAttempt, status: number, headers: IncomingHttpHeaders): void
  /** No answer: the connection failed, or nothing came in time. */
  failed(attempt: RealtimeAttempt, error: Error): void
}

/** One handshake with one key: undici's handler, which tells its owner how it ends. */
export class RealtimeAttempt implements Dispatcher.DispatchHandler {
  readonly key: ProviderKey
  readonly startedAt = performance.now()
  readonly #owner: RealtimeAttemptOwner
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false

  constructor(owner: RealtimeAttemptOwner, key: ProviderKey) {
    this.#owner = owner
    this.key = key
  }

  /** Nobody wants it any more. */
  abandon(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#controller?.abort(new Error('the session is over'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('the session is over'))
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    upstream: Duplex,
  ): void {
    if (this.#isOver) return void upstream.destroy()
    this.#isOver = true
    this.#owner.joined(this, status, withSingleValues(headers), upstream)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#isOver) return
    this.#isOver = true
    controller.abort(new Error('the provider opened no WebSocket'))
    this.#owner.declined(this, status, withSingleValues(headers))
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#owner.failed(this, error)
  }
}
