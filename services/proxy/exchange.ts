import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import type { RequestEvent, RequestOutcome } from '#schemas/request-event.ts'
import { kib, mib } from '#core/units.ts'
import { toClientHeaders, toLoggedHeaders, toUpstreamHeaders } from './headers.ts'
import type { Caller, ProviderKey } from './principal-cache.ts'
import { type RefusalCode, refusals, refuse } from './refusals.ts'
import { modelOf } from './request-body.ts'
import { type Target, upstreamPath } from './target.ts'
import { readTokenUsage } from './token-usage.ts'
import { upstreamRefusal } from './upstream-errors.ts'

/** JSON answers up to this size are read for their usage; bodies are kept in the log up to the second one. */
const readableBytes = mib
const keptBodyBytes = 256 * kib

/** Where finished and begun requests are noted. */
export interface Recorder {
  begin(event: RequestEvent): void
  end(event: RequestEvent): void
}

export interface ExchangeInput {
  id: string
  request: IncomingMessage
  response: ServerResponse
  caller: Caller
  target: Target
  body: Buffer | undefined
  recorder: Recorder
}

/**
 * One request on its way to the provider and back: undici's handler writes straight to the client, chunk by chunk and
 * no faster than the client reads. Ends exactly once, whoever ends it, and is noted then.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #input: ExchangeInput
  readonly #startedAt = performance.now()
  readonly #event: RequestEvent
  #upstream: Dispatcher.DispatchController | undefined
  #answer: Buffer[] | undefined
  #isJson = false
  #finished = false

  constructor(input: ExchangeInput) {
    this.#input = input
    this.#event = firstEvent(input)
  }

  /** Sends the request to the provider. */
  forward(dispatcher: Dispatcher, key: ProviderKey): void {
    const { caller, target, request, response, body, recorder } = this.#input
    this.#event.apiKeyId = key.id
    this.#event.attempts += 1
    recorder.begin(this.#event)
    response.once('close', () => this.#clientGone())
    dispatcher.dispatch(
      {
        method: request.method as Dispatcher.HttpMethod,
        path: upstreamPath(caller.baseUrl, target),
        headers: toUpstreamHeaders(request.headers, key.secret),
        body,
        headersTimeout: caller.timeout,
        bodyTimeout: caller.timeout,
      },
      this,
    )
  }

  /** Answers in the provider's place, and notes that. */
  refuse(code: RefusalCode): void {
    this.#event.errorMessage = refusals[code].message
    refuse(this.#input.response, code, this.#input.id)
    this.#finish(refusals[code].status, 'completed')
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#upstream = controller
    if (this.#finished) controller.abort(new Error('the client is gone'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    const { response, id, caller } = this.#input
    const type = headers['content-type'] ?? ''
    this.#event.status = status
    this.#event.timeToFirstByteMs = this.#elapsedMs()
    this.#event.responseHeaders = toLoggedHeaders(headers)
    this.#event.streamed = type.startsWith('text/event-stream')
    this.#isJson = type.includes('json') && headers['content-encoding'] === undefined
    if (this.#isJson || (caller.logBodies && isText(headers))) this.#answer = []
    response.writeHead(status, toClientHeaders(headers, id))
    if (this.#event.streamed) response.flushHeaders()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#event.responseBytes += chunk.length
    if (this.#answer && this.#event.responseBytes <= readableBytes) this.#answer.push(chunk)
    if (this.#input.response.write(chunk)) return
    controller.pause()
    this.#input.response.once('drain', () => controller.resume())
  }

  onResponseEnd(): void {
    this.#input.response.end()
    this.#finish(this.#event.status, 'completed')
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#finished) return
    const code = upstreamRefusal(error)
    this.#event.errorMessage = refusals[code].message
    if (this.#input.response.headersSent) {
      // The client must see an abort: a clean end would pass for a whole answer.
      this.#finish(this.#event.status, 'upstream_failed')
      this.#input.response.destroy()
      return
    }
    refuse(this.#input.response, code, this.#input.id)
    this.#finish(refusals[code].status, 'upstream_failed')
  }

  #clientGone(): void {
    if (this.#finished) return
    this.#finish(this.#event.status, 'client_aborted')
    this.#upstream?.abort(new Error('the client is gone'))
  }

  #finish(status: number, outcome: RequestOutcome): void {
    if (this.#finished) return
    this.#finished = true
    const event = this.#event
    event.status = status
    event.outcome = outcome
    event.responseTimeMs = this.#elapsedMs()
    this.#readAnswer()
    this.#input.recorder.end(event)
  }

  #readAnswer(): void {
    if (!this.#answer || this.#event.responseBytes > readableBytes) return
    const text = Buffer.concat(this.#answer).toString()
    this.#answer = undefined
    if (this.#input.caller.logBodies) this.#event.responseBody = text.slice(0, keptBodyBytes)
    if (!this.#isJson || this.#event.status >= 400) return
    const usage = readTokenUsage(text)
    if (!usage) return
    const { model, ...tokens } = usage
    Object.assign(this.#event, tokens)
    this.#event.model ??= model
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt)
  }
}

const isText = (headers: IncomingHttpHeaders) =>
  headers['content-encoding'] === undefined && /^text\/|json|xml/.test(headers['content-type'] ?? '')

/** The event that is true if nothing more is ever heard of the request. */
function firstEvent({ id, request, caller, target, body }: ExchangeInput): RequestEvent {
  const { headers } = request
  const keepsBody = caller.logBodies && body !== undefined && isText(headers)
  return {
    version: 1,
    id,
    accountId: caller.accountId,
    tokenId: caller.tokenId,
    apiKeyId: null,
    method: request.method ?? '',
    endpoint: target.endpoint,
    model: modelOf(body, headers['content-type']),
    status: 0,
    responseTimeMs: 0,
    timeToFirstByteMs: null,
    overheadUs: null,
    attempts: 0,
    attemptLog: [],
    cacheStatus: null,
    providerRequestId: null,
    streamed: false,
    promptTokens: null,
    completionTokens: null,
    cachedTokens: null,
    costNanoUsd: null,
    costSource: 'unknown',
    requestBytes: body?.length ?? 0,
    responseBytes: 0,
    errorMessage: null,
    clientAddress: caller.logClientAddress ? (request.socket.remoteAddress ?? null) : null,
    userAgent: headers['user-agent'] ?? null,
    requestHeaders: toLoggedHeaders(headers),
    responseHeaders: {},
    requestBody: keepsBody ? body.toString('utf8', 0, keptBodyBytes) : null,
    responseBody: null,
    outcome: 'interrupted',
  }
}
