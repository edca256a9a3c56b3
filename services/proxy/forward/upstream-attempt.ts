import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import type { ProviderKey } from '../auth/account.ts'
import type { RetryPlan } from '../keys/retry-plan.ts'
import type { ReceivedRequest, RequestLogBuilder } from '../log/request-log-builder.ts'
import { toUpstreamHeaders } from '../request/headers.ts'
import type { ClientSink } from '../response/client-sink.ts'
import { hideSecret, withSingleValues } from '../response/headers.ts'
import type { ProviderResponse, ResponseHead } from '../response/response.ts'
import type { OpenRequest } from '../spool/segment.ts'
import type { Spool } from '../spool/spool.ts'
import type { AttemptOutcome } from './forward.ts'
import { relayResponse } from './relay-response.ts'
import { UnreadableEncodingError } from './upstream-errors.ts'

/** A rejected response is read to its end, so that its connection can be used again, unless it is longer than this. */
const discardedBytes = 64 * kib
const nothing = Buffer.alloc(0)

/** A request on its way to the provider: what all of its attempts share. */
export interface ProxiedRequest {
  received: ReceivedRequest
  response: ServerResponse
  sink: ClientSink
  plan: RetryPlan
  log: RequestLogBuilder
  recorder: Pick<Spool, 'confirm'>
  begun: OpenRequest
  dispatcher: Dispatcher
  /** Value of the header by which gateways find loops. */
  hop: string
  /** The gateway's own headers of the response: name, value, name, value … */
  headers: readonly string[]
}

/** One attempt with one key: turns the callbacks of undici's handler into an outcome. */
export class UpstreamAttempt implements Dispatcher.DispatchHandler {
  readonly #proxied: ProxiedRequest
  readonly #key: ProviderKey
  readonly #outcome = Promise.withResolvers<AttemptOutcome<ResponseHead>>()
  #isSettled = false
  #controller: Dispatcher.DispatchController | undefined
  #isAbandoned = false
  /** Of the provider's response. */
  #status = 0
  #headers: IncomingHttpHeaders = {}
  /** The response that the client gets. */
  #relayed: { response: ProviderResponse; clientHeaders: string[] } | undefined
  /** What has come of a response that the client does not get. */
  #discarded: GrowingBuffer | undefined

  constructor(proxied: ProxiedRequest, key: ProviderKey) {
    this.#proxied = proxied
    this.#key = key
  }

  /** @returns once the response is with the client, but for its end, or it is clear that it won't be */
  run(): Promise<AttemptOutcome<ResponseHead>> {
    const { received, response, dispatcher, hop } = this.#proxied
    const { request, account, target, body, metadata } = received
    response.once('close', this.#abandon)
    dispatcher.dispatch(
      {
        origin: account.origin,
        method: request.method as Dispatcher.HttpMethod,
        path: account.basePath + target.pathAndQuery,
        headers: toUpstreamHeaders(request.headers, this.#key.secret, { body, hop }),
        body:
          metadata.bodyWithUsage && account.streamUsage
            ? metadata.bodyWithUsage
            : body && ('bytes' in body ? body.bytes : body.stream),
        headersTimeout: account.timeout,
        bodyTimeout: account.timeout,
      },
      this,
    )
    return this.#outcome.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isAbandoned) controller.abort(new Error('the client is gone'))
    else this.#proxied.recorder.confirm(this.#proxied.begun)
  }

  /** No upgrade was asked for: what comes after it must never reach the client. */
  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    _status: number,
    _headers: IncomingHttpHeaders,
    socket: Duplex,
  ): void {
    socket.destroy()
    controller.abort(new Error('the provider changed the protocol without being asked'))
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#isAbandoned) return
    if (status > 599) return controller.abort(new errors.HTTPParserError('a status that is none'))
    this.#status = status
    this.#headers = withSingleValues(headers)
    if (this.#isUnreadable()) return controller.abort(new UnreadableEncodingError())
    const { plan, sink } = this.#proxied
    const next = plan.afterResponse(this.#key, status, this.#headers)
    if (next) {
      this.#discarded = new GrowingBuffer()
      this.#settle({ kind: 'rejected', status, next })
    } else {
      sink.hide(this.#key.secret)
      this.#relayed = relayResponse(this.#proxied, status, hideSecret(this.#headers, this.#key.secret))
    }
  }

  /** What could be unpacked no longer names its encoding. */
  #isUnreadable(): boolean {
    const encoding = this.#headers['content-encoding'] ?? 'identity'
    const isEmpty = this.#proxied.received.request.method === 'HEAD' || this.#status === 204 || this.#status === 304
    return encoding !== 'identity' && !isEmpty
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#relayed) {
      if (this.#relayed.response.push(chunk)) return
      controller.pause()
      this.#proxied.sink.onceDrained(() => controller.resume())
    } else if (this.#discarded) {
      this.#discarded.append(chunk)
      if (this.#discarded.length > discardedBytes) controller.abort(new Error('a rejected response is too long'))
    }
  }

  onResponseEnd(): void {
    const { plan, received } = this.#proxied
    if (this.#discarded) {
      plan.afterRejection(this.#key, this.#status, this.#headers, this.#discarded.bytes())
    } else if (this.#relayed && !this.#isAbandoned) {
      const { response, clientHeaders } = this.#relayed
      received.timing.providerDone()
      response.end()
      plan.afterRejection(this.#key, this.#status, this.#headers, response.whole() ?? nothing)
      const result = { status: this.#status, headers: clientHeaders }
      this.#settle({ kind: 'completed', status: this.#status, result })
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#settle({ kind: this.#relayed ? 'broken' : 'failed', error })
  }

  /** The client is gone: the provider need not go on. */
  readonly #abandon = (): void => {
    this.#isAbandoned = true
    this.#settle({ kind: 'client_aborted' })
    this.#controller?.abort(new Error('the client is gone'))
  }

  #settle(outcome: AttemptOutcome<ResponseHead>): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#proxied.response.off('close', this.#abandon)
    this.#outcome.resolve(outcome)
  }
}
