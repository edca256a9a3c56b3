import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { ProviderKey } from '../auth/account.ts'
import type { AttemptOutcome } from '../forward/forward.ts'
import type { RetryPlan } from '../keys/retry-plan.ts'
import type { ReceivedRequest } from '../log/request-log-builder.ts'
import { withSingleValues } from '../response/headers.ts'
import { toUpstreamHandshake } from './handshake.ts'

/** A handshake on its way to the provider: what all of its attempts share. */
export interface ProxiedHandshake {
  received: ReceivedRequest
  /** The client's connection. */
  socket: Duplex
  protocols: readonly string[]
  plan: RetryPlan
  dispatcher: Dispatcher
  /** Value of the header by which gateways find loops. */
  hop: string
}

/** The provider agreed. */
export interface Upgrade {
  /** The provider's key, which the client must not see. */
  secret: string
  status: number
  headers: IncomingHttpHeaders
  upstream: Duplex
}

/** One handshake with one key: turns the callbacks of undici's handler into an outcome. */
export class RealtimeAttempt implements Dispatcher.DispatchHandler {
  readonly #proxied: ProxiedHandshake
  readonly #key: ProviderKey
  readonly #outcome = Promise.withResolvers<AttemptOutcome<Upgrade>>()
  #controller: Dispatcher.DispatchController | undefined
  #isSettled = false

  constructor(proxied: ProxiedHandshake, key: ProviderKey) {
    this.#proxied = proxied
    this.#key = key
  }

  run(): Promise<AttemptOutcome<Upgrade>> {
    const { received, socket, protocols, dispatcher, hop } = this.#proxied
    const { request, account, target } = received
    socket.once('close', this.#abandon)
    dispatcher.dispatch(
      {
        origin: account.origin,
        method: 'GET',
        path: account.basePath + target.pathAndQuery,
        headers: toUpstreamHandshake(request, { secret: this.#key.secret, hop, protocols }),
        upgrade: 'websocket',
        headersTimeout: account.timeout,
      },
      this,
    )
    return this.#outcome.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isSettled) controller.abort(new Error('the client is gone'))
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    upstream: Duplex,
  ): void {
    if (this.#isSettled) return void upstream.destroy()
    this.#proxied.plan.recovered(this.#key.id)
    upstream.on('error', () => upstream.destroy())
    const single = withSingleValues(headers)
    // An extension that was not asked for could hide the key.
    if (single['sec-websocket-extensions'] !== undefined) {
      upstream.destroy()
      return this.#settle({ kind: 'rejected', status, next: undefined })
    }
    const result = { secret: this.#key.secret, status, headers: single, upstream }
    this.#settle({ kind: 'completed', status, result })
  }

  /** A response like any other: with this key there will be no WebSocket. */
  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#isSettled) return
    const next = this.#proxied.plan.afterResponse(this.#key, status, withSingleValues(headers))
    this.#settle({ kind: 'rejected', status, next })
    controller.abort(new Error('the provider opened no WebSocket'))
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#settle({ kind: 'failed', error })
  }

  /** The client is gone: the provider need not go on. */
  readonly #abandon = (): void => {
    this.#settle({ kind: 'client_aborted' })
    this.#controller?.abort(new Error('the client is gone'))
  }

  #settle(outcome: AttemptOutcome<Upgrade>): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#proxied.socket.off('close', this.#abandon)
    this.#outcome.resolve(outcome)
  }
}
