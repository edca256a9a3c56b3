import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import type { ProviderKey } from '../auth/account.ts'
import type { AttemptOutcome } from '../forward/forward.ts'
import type { RetryPlan } from '../keys/retry-plan.ts'
import type { ReceivedRequest } from '../log/request-log-builder.ts'
import { Delivery } from '../request/delivery.ts'
import { withSingleValues } from '../response/headers.ts'
import { toUpstreamHandshake } from './handshake.ts'

/** A handshake with the provider, as all of its attempts share it. */
interface ProxiedHandshake {
  received: ReceivedRequest
  /** The client's connection. */
  socket: Duplex
  protocols: readonly string[]
  plan: RetryPlan
  dispatcher: Dispatcher
  /** Value of the header by which gateways detect loops. */
  hop: string
}

/** A connection that the provider upgraded. */
export interface Upgrade {
  /** The provider's key, which the client must not see. */
  secret: string
  status: number
  headers: IncomingHttpHeaders
  upstream: Duplex
}

/** One handshake with one key. Turns the callbacks of undici into an outcome. */
export class RealtimeAttempt implements Dispatcher.DispatchHandler {
  readonly #proxied: ProxiedHandshake
  readonly #key: ProviderKey
  readonly #outcome = Promise.withResolvers<AttemptOutcome<Upgrade>>()
  readonly #delivery = new Delivery()
  #silence: NodeJS.Timeout | undefined
  #controller: Dispatcher.DispatchController | undefined
  #isComplete = false

  constructor(proxied: ProxiedHandshake, key: ProviderKey) {
    this.#proxied = proxied
    this.#key = key
  }

  run(): Promise<AttemptOutcome<Upgrade>> {
    const { received, socket, protocols, dispatcher, hop } = this.#proxied
    const { request, account, target } = received
    socket.once('close', this.#abandon)
    this.#silence = setTimeout(this.#timeOut, account.timeout)
    dispatcher.dispatch(
      {
        origin: account.origin,
        method: 'GET',
        path: account.basePath + target.pathAndQuery,
        headers: toUpstreamHandshake(request, { secret: this.#key.secret, hop, protocols }),
        upgrade: 'websocket',
        headersTimeout: 0,
      },
      this,
    )
    return this.#outcome.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isComplete) controller.abort(new Error('the attempt was abandoned'))
    else this.#delivery.start()
  }

  onRequestSent(): void {
    this.#delivery.written()
  }

  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    upstream: Duplex,
  ): void {
    if (this.#isComplete) return void upstream.destroy()
    this.#proxied.plan.recovered(this.#key.id)
    upstream.on('error', () => upstream.destroy())
    const single = withSingleValues(headers)
    // An extension that was not offered could hide the key.
    if (single['sec-websocket-extensions'] !== undefined) {
      upstream.destroy()
      return this.#complete({ kind: 'rejected', status, next: undefined })
    }
    const result = { secret: this.#key.secret, status, headers: single, upstream }
    this.#complete({ kind: 'completed', status, result })
  }

  /** An ordinary response instead of the upgrade. */
  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#isComplete) return
    const next = this.#proxied.plan.afterResponse(this.#key, status, withSingleValues(headers))
    this.#complete({ kind: 'rejected', status, next })
    controller.abort(new Error('the provider did not open a WebSocket'))
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#complete({ kind: 'failed', error, delivery: this.#delivery })
  }

  readonly #timeOut = (): void => {
    const error = new errors.HeadersTimeoutError()
    this.#complete({ kind: 'failed', error, delivery: this.#delivery })
    this.#controller?.abort(error)
  }

  /** The client disconnected. */
  readonly #abandon = (): void => {
    this.#complete({ kind: 'client_aborted' })
    this.#controller?.abort(new Error('the client disconnected'))
  }

  #complete(outcome: AttemptOutcome<Upgrade>): void {
    if (this.#isComplete) return
    this.#isComplete = true
    clearTimeout(this.#silence)
    this.#proxied.socket.off('close', this.#abandon)
    this.#outcome.resolve(outcome)
  }
}
