import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib, second } from '#core/units.ts'
import { proxyErrors } from '#schemas/proxy-errors.ts'
import type { Account, ProviderKey } from '../auth/account.ts'
import type { MadeObjectsReader, ObjectKeys } from '../keys/object-keys.ts'
import type { RetryPlan } from '../keys/retry-plan.ts'
import type { ReceivedRequest, RequestLogBuilder } from '../log/request-log-builder.ts'
import { Delivery } from '../request/delivery.ts'
import { GatewayError } from '../request/gateway-error.ts'
import { toUpstreamHeaders } from '../request/headers.ts'
import { upstreamPathOf } from '../request/target.ts'
import type { ClientSink } from '../response/client-sink.ts'
import { errorFormatOf } from '../response/error-responses.ts'
import { hideSecret, withSingleValues } from '../response/headers.ts'
import { readProviderError } from '../response/provider-error.ts'
import type { ProviderResponse, ResponseHead } from '../response/response.ts'
import type { OpenRequest } from '../spool/segment.ts'
import type { Spool } from '../spool/spool.ts'
import type { AttemptOutcome } from './forward.ts'
import { type RelayedResponse, relayResponse } from './relay-response.ts'

/** Content encodings with nothing to decode. */
const changesNothing = /^[\s,]*(?:identity[\s,]*)*$/i

/** A discarded response up to this size is read to its end, so that the connection can be reused. */
const maxDiscardedBytes = 64 * kib

/** For how long a discarded response may hold its connection, which no limit counts any more, ms. */
export const maxDiscardMs = ({ timeout }: Account): number => Math.min(timeout, 5 * second)

/** The part of a budget that a request may use. */
interface SpendingLimit {
  /** @param tokens of a stream so far, estimated from its pieces @returns whether they exceed it */
  recordTokens(tokens: number): boolean
  /** @returns whether the request may continue */
  extend(): Promise<boolean>
}

export interface ProxiedRequest {
  received: ReceivedRequest
  response: ServerResponse
  sink: ClientSink
  plan: RetryPlan
  log: RequestLogBuilder
  recorder: Pick<Spool, 'confirm'>
  begun: OpenRequest
  dispatcher: Dispatcher
  hop: string
  /** The gateway's response headers: name, value, name, value … */
  headers: readonly string[]
  objects: ObjectKeys
  /** Undefined for a token without a budget. */
  reservation: SpendingLimit | undefined
}

/** One attempt with one key. Turns the callbacks of undici into an outcome. */
export class UpstreamAttempt implements Dispatcher.DispatchHandler {
  readonly #proxied: ProxiedRequest
  readonly #key: ProviderKey
  readonly #traceHeaders: readonly string[] | undefined
  readonly #outcome = Promise.withResolvers<AttemptOutcome<ResponseHead>>()
  readonly #delivery: Delivery
  /** Limits the wait for the next byte. undici's own timers are up to a second late. */
  #silence: NodeJS.Timeout | undefined
  #controller: Dispatcher.DispatchController | undefined
  #isAbandoned = false
  #isExtending = false
  #isResolved = false
  #status = 0
  #headers: IncomingHttpHeaders = {}
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
  run(): Promise<AttemptOutcome<ResponseHead>> {
    const { received, response, dispatcher, hop } = this.#proxied
    const { request, account, target, body, metadata } = received
    const bodyWithUsage = account.streamUsage ? metadata.bodyWithUsage : undefined
    const headers = toUpstreamHeaders(request, account.credentialHeader, this.#key.secret, hop, this.#traceHeaders)
    if (body && 'stream' in body && body.length !== undefined) headers.push('content-length', String(body.length))
    response.once('close', this.#leave)
    this.#silence = setTimeout(this.#timeOut, account.timeout)
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
    const { plan, sink, received } = this.#proxied
    const isEmpty = received.request.method === 'HEAD' || status === 204 || status === 304
    // undici has removed the encodings that it can decode.
    const encoding = this.#headers['content-encoding']
    if (encoding !== undefined && !isEmpty) {
      if (!changesNothing.test(String(encoding))) return controller.abort(new GatewayError('upstream_encoding'))
      delete this.#headers['content-encoding']
    }
    const next = plan.afterResponse(this.#key, status, this.#headers)
    if (next) {
      this.#discarded = new GrowingBuffer()
      this.#stopTimer()
      this.#silence = setTimeout(this.#timeOut, maxDiscardMs(received.account))
      this.#resolve({ kind: 'rejected', status, next })
    } else {
      sink.hide(this.#key.secret)
      if (status < 300) this.#madeObjects = this.#proxied.objects.readerOf(received, this.#key.id)
      this.#relayed = relayResponse(this.#proxied, status, hideSecret(this.#headers, this.#key.secret))
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#relayed) {
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

  onResponseEnd(): void {
    this.#stopTimer()
    const { plan, received } = this.#proxied
    if (this.#discarded) {
      const error = readProviderError(this.#discarded.bytes(), this.#key.secret)
      plan.afterRejection(this.#key, this.#status, this.#headers, error)
    } else if (this.#relayed && !this.#isAbandoned) {
      const { response, clientHeaders } = this.#relayed
      received.timing.providerDone()
      this.#madeObjects?.end()
      response.end()
      const failure = (this.#status >= 400 ? response.whole?.() : undefined) ?? response.errorEvent?.()
      const error = failure ? readProviderError(failure, this.#key.secret) : null
      plan.afterRejection(this.#key, this.#status, this.#headers, error)
      if (error) this.#proxied.log.providerFailed(error)
      const result = { status: this.#status, headers: clientHeaders }
      this.#resolve({ kind: 'completed', status: this.#status, result })
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#stopTimer()
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
    this.#stopTimer()
    this.#controller?.abort(reason)
  }

  /** Also forgets the timer: a late byte could restart it. */
  #stopTimer(): void {
    clearTimeout(this.#silence)
    this.#silence = undefined
  }

  #resolve(outcome: AttemptOutcome<ResponseHead>): void {
    this.#isResolved = true
    this.#proxied.response.off('close', this.#leave)
    this.#relayed?.response.stop?.()
    this.#outcome.resolve(outcome)
  }
}
