import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { SilenceTimer } from '#core/http/silence-timer.ts'
import { proxyErrors } from '#schemas/proxy-errors.ts'
import type { ProviderKey } from '../auth/account.ts'
import type { MadeObjectsReader } from '../keys/object-keys.ts'
import { isRejectedKey } from '../keys/retry-policy.ts'
import { Delivery } from '../request/delivery.ts'
import { GatewayError } from '../request/gateway-error.ts'
import { toUpstreamHeaders } from '../request/headers.ts'
import { upstreamPathOf } from '../request/target.ts'
import { errorFormatOf } from '../response/error-responses.ts'
import { framingOf } from '../response/framing.ts'
import { hideSecret, withSingleValues } from '../response/headers.ts'
import { ambiguousStatuses, type ProviderError, readProviderError, usualStatusOf } from '../response/provider-error.ts'
import type { ProviderResponse, ResponseHead } from '../response/response.ts'
import type { AttemptOutcome } from './forward.ts'
import type { ProxiedRequest } from './proxied-request.ts'
import { type RelayedResponse, relayResponse } from './relay-response.ts'
import { maxDiscardedBytes, maxDiscardMs, maxHeldBytes, maxKeptBytes } from './response-limits.ts'

/** Content encodings with nothing to decode. */
const changesNothing = /^[\s,]*(?:identity[\s,]*)*$/i

/** One attempt with one key. Turns the callbacks of undici into an outcome. */
export class UpstreamAttempt implements Dispatcher.DispatchHandler {
  readonly #proxied: ProxiedRequest
  readonly #key: ProviderKey
  readonly #traceHeaders: readonly string[] | undefined
  readonly #outcome = Promise.withResolvers<AttemptOutcome<ResponseHead | undefined>>()
  readonly #delivery: Delivery
  /** Limits the wait for the next byte. undici's own timers are up to a second late. */
  #silence: SilenceTimer | undefined
  #controller: Dispatcher.DispatchController | undefined
  #isAbandoned = false
  #isExtending = false
  #isResolved = false
  #status = 0
  /** The status that this response has for the key. */
  #keyStatus = 0
  #headers: IncomingHttpHeaders = {}
  #held: GrowingBuffer | undefined
  /** Set when the client gets the response. */
  #relayed: RelayedResponse | undefined
  /** Set when the client does not get it. */
  #discarded: GrowingBuffer | undefined
  #madeObjects: MadeObjectsReader | undefined

  constructor(proxied: ProxiedRequest, key: ProviderKey, traceHeaders?: readonly string[]) {
    this.#proxied = proxied
    this.#key = key
    this.#traceHeaders = traceHeaders
    this.#delivery = new Delivery(this.#upload !== undefined)
  }

  /** Resolves when the client has everything but the end of the response, or will not get it. */
  run(): Promise<AttemptOutcome<ResponseHead | undefined>> {
    const { received, response, dispatcher, hop } = this.#proxied
    const { request, account, target, body, metadata } = received
    const bodyWithUsage = account.streamUsage ? metadata.bodyWithUsage : undefined
    const headers = toUpstreamHeaders(request, account.credentialHeader, this.#key.secret, hop, this.#traceHeaders)
    if (body && 'stream' in body && body.length !== undefined) headers.push('content-length', String(body.length))
    response.once('close', this.#leave)
    this.#silence = new SilenceTimer(account.timeout, this.#timeOut)
    dispatcher.dispatch(
      {
        origin: account.origin,
        method: request.method ?? 'GET',
        path: upstreamPathOf(account, target),
        headers,
        body: bodyWithUsage ?? (body && ('bytes' in body ? body.bytes : body.stream)),
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      this,
    )
    return this.#outcome.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isAbandoned) return controller.abort(new Error('the attempt was abandoned'))
    this.#proxied.recorder.confirm(this.#proxied.begun)
    this.#delivery.start()
  }

  onBodySent(): void {
    if (this.#upload) this.#silence?.refresh()
  }

  onRequestSent(): void {
    this.#delivery.written()
    if (this.#upload) this.#silence?.refresh()
  }

  /** The gateway requested no upgrade, so nothing after it may reach the client. */
  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    _status: number,
    _headers: IncomingHttpHeaders,
    socket: Duplex,
  ): void {
    socket.destroy()
    controller.abort(new errors.HTTPParserError('an upgrade without a request'))
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#isAbandoned) return
    this.#silence?.refresh()
    if (status < 200) return
    if (status > 599) return controller.abort(new errors.HTTPParserError('invalid status'))
    this.#status = status
    this.#headers = withSingleValues(headers)
    if (status >= 400 && !this.#hasKnownEnd) this.#delivery.endAtReset()
    const isEmpty = this.#proxied.received.request.method === 'HEAD' || status === 204 || status === 304
    // undici has removed the encodings that it can decode.
    const encoding = this.#headers['content-encoding']
    if (encoding !== undefined && !isEmpty) {
      if (!changesNothing.test(String(encoding))) return controller.abort(new GatewayError('upstream_encoding'))
      delete this.#headers['content-encoding']
    }
    const isHeld = ambiguousStatuses.has(status) && framingOf(this.#headers['content-type']) === 'json'
    if (isHeld) this.#held = new GrowingBuffer()
    else this.#decide(status)
  }

  /** Whether the client gets the response. @param keyStatus the status that it has for the key */
  #decide(keyStatus: number): void {
    this.#keyStatus = keyStatus
    const status = this.#status
    const next = this.#proxied.plan.afterResponse(this.#key, keyStatus, this.#headers)
    // To the client, the failure of one key says more than that another one is wrong.
    const earlier = !next && isRejectedKey(keyStatus) ? this.#proxied.earlier : undefined
    if (!next) this.#proxied.earlier = undefined
    if (!next && !earlier) return void this.#relay()
    earlier?.relay()
    this.#discarded = new GrowingBuffer()
    this.#silence?.stop()
    this.#silence = new SilenceTimer(maxDiscardMs(this.#proxied.received.account), this.#timeOut)
    this.#resolve(next ? { kind: 'rejected', status, next } : { kind: 'completed', status, result: undefined })
  }

  #relay(): ProviderResponse {
    const { sink, received, objects, log } = this.#proxied
    log.event.apiKeyId = this.#key.id
    sink.hide(this.#key.secret)
    if (this.#status < 300) this.#madeObjects = objects.readerOf(received, this.#key.id)
    this.#relayed = relayResponse(this.#proxied, this.#status, hideSecret(this.#headers, this.#key.secret))
    return this.#relayed.response
  }

  relay(): void {
    const response = this.#relay()
    if (this.#discarded) response.push(this.#discarded.bytes())
    this.#end(response)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#held) {
      this.#silence?.refresh()
      this.#held.append(chunk)
      if (this.#held.length > maxHeldBytes) this.#release(controller, this.#held)
    } else if (this.#relayed) {
      this.#silence?.refresh()
      this.#madeObjects?.push(chunk, this.#proxied.received.metadata.isStream)
      const mayGoOn = this.#relayed.response.push(chunk)
      if (this.#isExceeded(this.#relayed.response)) void this.#extendReservation(controller)
      if (mayGoOn) return
      controller.pause()
      this.#proxied.sink.onceDrained(() => {
        if (this.#isExtending) return
        this.#silence?.refresh()
        controller.resume()
      })
    } else if (this.#discarded) {
      this.#discarded.append(chunk)
      if (this.#discarded.length > maxDiscardedBytes) controller.abort(new Error('a discarded response is too long'))
    }
  }

  #release(controller: Dispatcher.DispatchController, held: GrowingBuffer): void {
    this.#held = undefined
    this.#decide(held.length <= maxHeldBytes ? usualStatusOf(this.#status, held.bytes()) : this.#status)
    this.onResponseData(controller, held.bytes())
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (this.#held && !this.#isAbandoned) this.#release(controller, this.#held)
    this.#silence?.stop()
    const { plan } = this.#proxied
    if (this.#discarded) {
      if (!isRejectedKey(this.#keyStatus) && this.#discarded.length <= maxKeptBytes) this.#proxied.earlier = this
      const error = readProviderError(this.#discarded.bytes(), this.#key.secret)
      plan.afterRejection(this.#key, this.#keyStatus, this.#headers, error)
    } else if (this.#relayed && !this.#isAbandoned) {
      const { response, clientHeaders } = this.#relayed
      plan.afterRejection(this.#key, this.#keyStatus, this.#headers, this.#end(response))
      const result = this.#hasKnownEnd ? { status: this.#status, headers: clientHeaders } : undefined
      this.#resolve({ kind: 'completed', status: this.#status, result })
    }
  }

  /** @returns the error that the response reports */
  #end(response: ProviderResponse): ProviderError | null {
    this.#proxied.received.timing.providerDone()
    this.#madeObjects?.end()
    response.end()
    const failure = (this.#status >= 400 ? response.whole?.() : undefined) ?? response.errorEvent?.()
    const error = failure ? readProviderError(failure, this.#key.secret) : null
    if (error) this.#proxied.log.providerFailed(error)
    return error
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#silence?.stop()
    this.#fail(error)
  }

  #isExceeded(response: ProviderResponse): boolean {
    const { reservation } = this.#proxied
    if (!reservation || !response.endWithError || this.#isExtending) return false
    return reservation.recordTokens(response.estimatedTokens ?? 0)
  }

  /** Pauses the response until its budget is extended, or ends it. */
  async #extendReservation(controller: Dispatcher.DispatchController): Promise<void> {
    this.#isExtending = true
    controller.pause()
    const isExtended = await this.#proxied.reservation?.extend()
    this.#isExtending = false
    if (this.#isResolved || !this.#relayed) return
    if (!isExtended) return this.#endWithinBudget(this.#relayed)
    this.#silence?.refresh()
    controller.resume()
  }

  #endWithinBudget({ response, clientHeaders: headers }: RelayedResponse): void {
    const code = 'budget_exceeded'
    const { request, timing } = this.#proxied.received
    response.endWithError?.(code, errorFormatOf(request))
    timing.providerDone()
    this.#proxied.log.failed(code, true)
    this.#madeObjects?.end()
    // An error status keeps the response out of the cache.
    const { status } = proxyErrors[code]
    this.#resolve({ kind: 'completed', status: this.#status, result: { status, headers } })
    this.#abandon(new Error('the budget of the token is used up'))
  }

  /** The client has disconnected. */
  readonly #leave = (): void => {
    this.#resolve({ kind: 'client_aborted', delivery: this.#delivery })
    this.#abandon(new Error('the client has disconnected'))
  }

  readonly #timeOut = (): void => {
    if (this.#isWaitingForClient()) return
    const error = this.#status === 0 ? new errors.HeadersTimeoutError() : new errors.BodyTimeoutError()
    this.#fail(error)
    this.#abandon(error)
  }

  /** Otherwise, only the end of the connection ends the response, and undici can't tell whether it was cut off. */
  get #hasKnownEnd(): boolean {
    return this.#headers['content-length'] !== undefined || this.#headers['transfer-encoding'] !== undefined
  }

  /** Whether the client is delaying the upload or the response. Its next action restarts the timer. */
  #isWaitingForClient(): boolean {
    const upload = this.#upload
    return Boolean(this.#controller?.paused || (upload && !upload.readableEnded && !upload.isPaused()))
  }

  get #upload(): Readable | undefined {
    const { body } = this.#proxied.received
    return body && 'stream' in body ? body.stream : undefined
  }

  #fail(error: Error): void {
    if (this.#relayed) this.#proxied.sink.dropHead()
    this.#resolve(this.#relayed ? { kind: 'broken', error } : { kind: 'failed', error, delivery: this.#delivery })
  }

  #abandon(reason: Error): void {
    this.#isAbandoned = true
    this.#silence?.stop()
    this.#controller?.abort(reason)
  }

  #resolve(outcome: AttemptOutcome<ResponseHead | undefined>): void {
    this.#isResolved = true
    this.#proxied.response.off('close', this.#leave)
    this.#relayed?.response.stop?.()
    this.#outcome.resolve(outcome)
  }
}
