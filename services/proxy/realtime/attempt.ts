import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { SilenceTimer } from '#core/http/silence-timer.ts'
import { kib } from '#core/units.ts'
import type { ProviderKey } from '../auth/account.ts'
import type { AttemptOutcome } from '../forward/forward.ts'
import { maxDiscardMs } from '../forward/response-limits.ts'
import type { RetryPlan } from '../keys/retry-plan.ts'
import type { ReceivedRequest } from '../log/request-log-builder.ts'
import { Delivery } from '../request/delivery.ts'
import { GatewayError } from '../request/gateway-error.ts'
import { toUpstreamHeaders } from '../request/headers.ts'
import { upstreamPathOf } from '../request/target.ts'
import { hideSecret, withSingleValues } from '../response/headers.ts'
import { type ProviderError, readProviderError } from '../response/provider-error.ts'
import { SecretMask } from '../response/secret-mask.ts'
import { handshakeHeadersOf } from './handshake.ts'

/** How much of the body of a rejected handshake the client gets. */
const maxRejectionBytes = 64 * kib

/** A handshake with the provider; all of its attempts share it. */
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

/** The provider's response to a handshake, without its key. */
interface HandshakeResponse {
  status: number
  headers: IncomingHttpHeaders
}

/** A connection that the provider upgraded. */
export interface Upgrade extends HandshakeResponse {
  /** The provider's key, which the client must not see. */
  secret: string
  upstream: Duplex
}

/** An ordinary response instead of the upgrade. */
export interface RejectedHandshake extends HandshakeResponse {
  body: Buffer
  error: ProviderError | null
}

type Handshake = Upgrade | RejectedHandshake

/** One handshake with one key. Turns the callbacks of undici into an outcome. */
export class RealtimeAttempt implements Dispatcher.DispatchHandler {
  readonly #proxied: ProxiedHandshake
  readonly #key: ProviderKey
  readonly #traceHeaders: readonly string[] | undefined
  readonly #outcome = Promise.withResolvers<AttemptOutcome<Handshake>>()
  readonly #delivery = new Delivery()
  #silence: SilenceTimer | undefined
  #controller: Dispatcher.DispatchController | undefined
  #isComplete = false
  /** Set when the provider did not upgrade the connection. */
  #rejection: (HandshakeResponse & { body: GrowingBuffer }) | undefined

  constructor(proxied: ProxiedHandshake, key: ProviderKey, traceHeaders?: readonly string[]) {
    this.#proxied = proxied
    this.#key = key
    this.#traceHeaders = traceHeaders
  }

  run(): Promise<AttemptOutcome<Handshake>> {
    const { received, socket, protocols, dispatcher, hop } = this.#proxied
    const { request, account, target } = received
    const headers = toUpstreamHeaders(request, account.credentialHeader, this.#key.secret, hop, this.#traceHeaders)
    headers.push(...handshakeHeadersOf(request, protocols))
    socket.once('close', this.#abandon)
    this.#silence = new SilenceTimer(account.timeout, this.#timeOut)
    dispatcher.dispatch(
      {
        origin: account.origin,
        method: 'GET',
        path: upstreamPathOf(account, target),
        headers,
        upgrade: 'websocket',
        headersTimeout: 0,
        bodyTimeout: 0,
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
    const { secret } = this.#key
    const result = { secret, status, headers: hideSecret(single, secret), upstream }
    this.#complete({ kind: 'completed', status, result })
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#isComplete) return
    if (status > 599) return controller.abort(new errors.HTTPParserError('invalid status'))
    const single = withSingleValues(headers)
    // undici has removed the encodings that it can decode.
    if ((single['content-encoding'] ?? 'identity') !== 'identity') {
      return controller.abort(new GatewayError('upstream_encoding'))
    }
    // An ordinary success may contain a list or an object that a model-restricted token may not read.
    if (status < 300 && this.#proxied.received.account.models !== null) {
      return controller.abort(new GatewayError('model_not_allowed'))
    }
    this.#rejection = { status, headers: single, body: new GrowingBuffer() }
    const next = this.#proxied.plan.afterResponse(this.#key, status, single)
    if (!next) return
    this.#complete({ kind: 'rejected', status, next })
    this.#silence = new SilenceTimer(maxDiscardMs(this.#proxied.received.account), this.#timeOut)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#rejection) return
    this.#rejection.body.append(chunk)
    if (this.#rejection.body.length < maxRejectionBytes) return
    this.#completeRejection(this.#rejection)
    controller.abort(new Error('the body of a rejected handshake is too long'))
  }

  onResponseEnd(): void {
    this.#silence?.stop()
    if (this.#rejection) this.#completeRejection(this.#rejection)
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#silence?.stop()
    this.#fail(error)
  }

  readonly #timeOut = (): void => {
    const error = new errors.HeadersTimeoutError()
    this.#fail(error)
    this.#controller?.abort(error)
  }

  #fail(error: Error): void {
    if (this.#rejection) this.#complete({ kind: 'broken', error })
    else this.#complete({ kind: 'failed', error, delivery: this.#delivery })
  }

  #completeRejection({ status, headers, body }: HandshakeResponse & { body: GrowingBuffer }): void {
    const whole = body.bytes().subarray(0, maxRejectionBytes)
    const { secret } = this.#key
    const error = readProviderError(whole, secret)
    this.#proxied.plan.afterRejection(this.#key, status, headers, error)
    const result = { status, headers: hideSecret(headers, secret), body: withoutSecret(whole, secret), error }
    this.#complete({ kind: 'completed', status, result })
  }

  /** The client disconnected. */
  readonly #abandon = (): void => {
    this.#complete({ kind: 'client_aborted', delivery: this.#delivery })
    this.#controller?.abort(new Error('the client disconnected'))
  }

  #complete(outcome: AttemptOutcome<Handshake>): void {
    if (this.#isComplete) return
    this.#isComplete = true
    this.#silence?.stop()
    this.#proxied.socket.off('close', this.#abandon)
    this.#outcome.resolve(outcome)
  }
}

function withoutSecret(body: Buffer, secret: string): Buffer {
  const mask = SecretMask.of(secret)
  return mask ? Buffer.concat([mask.push(body), mask.flush() ?? Buffer.alloc(0)]) : body
}
