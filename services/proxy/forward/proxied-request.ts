import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { inertHeaders } from '#core/http/inert-headers.ts'
import type { RequestEvent, RequestOutcome } from '#schemas/request-event.ts'
import type { ProviderResponse, StoredResponse } from '../response/response.ts'
import { ClientSink } from '../response/client-sink.ts'
import { openResponse } from '../response/open-response.ts'
import { Attempt, type AttemptOwner } from './upstream-attempt.ts'
import { RetryPlan, type NextTry } from '../keys/retry-plan.ts'
import { firstEvent, isReadable, keptBodyBytes, type ReceivedRequest } from '../log/request-log-builder.ts'
import { hideSecret, toClientHeaders, toUpstreamHeaders } from '../request/headers.ts'
import type { KeyHealth } from '../keys/key-health.ts'
import { toLoggedHeaders } from '../log/logged-headers.ts'
import { meter } from '../usage/metering.ts'
import type { ProviderKey } from '../auth/credential-cache.ts'
import { type ErrorCode, errorResponses, sendError } from '../response/error-responses.ts'
import type { RequestShare } from '../request/request-share.ts'
import type { RequestTiming } from '../log/request-timing.ts'
import type { Spool } from '../spool/spool.ts'
import { SpoolFullError } from '../spool/spool-full-error.ts'
import type { OpenRequest } from '../spool/segment.ts'
import type { TokenUsage } from '../usage/token-usage.ts'
import { upstreamErrorCode } from './upstream-errors.ts'

/** Where requests are noted, when they begin and when they have ended. */
export type Recorder = Pick<Spool, 'begin' | 'confirm' | 'update' | 'end'>

export interface ExchangeInput extends ReceivedRequest {
  response: ServerResponse
  timing: RequestTiming
  recorder: Recorder
  health: KeyHealth
  share: RequestShare
  /** Value of the header by which gateways find loops. */
  hop: string
  /** Answers longer than this are not handed to `onFinish`; 0: none are. */
  keepBytes: number
  /** Whether requests that are under way are being cut off, because the process stops. */
  isCutting(): boolean
  onFinish(event: RequestEvent, answer: StoredResponse | undefined): void
  /** Something went wrong on our side. */
  onError(error: unknown): void
}

/** One request on its way to the provider and back, over as many attempts as it takes. It ends exactly once. */
export class Exchange implements AttemptOwner {
  readonly #input: ExchangeInput
  readonly #event: RequestEvent
  readonly #sink: ClientSink
  readonly #plan: RetryPlan
  readonly #timing: RequestTiming
  #begun: OpenRequest | undefined
  #dispatcher: Dispatcher | undefined
  #attempt: Attempt | undefined
  #answer: ProviderResponse | undefined
  #answerHeaders: string[] = []
  #extraHeaders: readonly string[] = []
  #retryTimer: NodeJS.Timeout | undefined
  #isMetered = false
  #finished = false

  constructor(input: ExchangeInput) {
    const { account, health, response, share, keepBytes } = input
    this.#input = input
    this.#event = firstEvent(input)
    this.#timing = input.timing
    this.#sink = new ClientSink(response, share, Math.max(keepBytes, account.logBodies ? keptBodyBytes : 0))
    this.#plan = new RetryPlan({
      keys: account.keys,
      endpoint: input.target.endpoint,
      isReplayable: input.body === undefined || 'bytes' in input.body,
      retries: account.retryAttempts,
      patienceMs: account.timeout,
      health,
    })
  }

  /**
   * Notes the request and sends it to the provider.
   * @param extraHeaders of the answer: name, value, name, value …
   * @throws SpoolFullError when it can't be noted; then it is as if it had not been tried
   */
  forward(dispatcher: Dispatcher, extraHeaders: readonly string[], cacheStatus: 'miss' | null): void {
    const { recorder, response } = this.#input
    // The client may have left while it was looked up or limited: nobody would hear of that any more.
    if (response.destroyed) return this.#finish(0, 'client_aborted')
    this.#extraHeaders = cacheStatus ? [...extraHeaders, 'x-sallyport-cache', cacheStatus] : extraHeaders
    const key = this.#plan.first()
    if (!key) return this.#sendError('no_active_key', 'completed')
    this.#event.cacheStatus = cacheStatus
    this.#event.apiKeyId = key.id
    try {
      this.#begun = recorder.begin(this.#event)
    } catch (error) {
      this.#plan.giveUp()
      throw error
    }
    this.#dispatcher = dispatcher
    response.once('close', () => this.#clientGone())
    this.#timing.dispatched()
    this.#try(key)
  }

  /** Answers in the provider's place, and notes that. */
  #sendError(code: ErrorCode, outcome: RequestOutcome): void {
    const { response, id } = this.#input
    this.#event.errorMessage = errorResponses[code].message
    this.#finish(errorResponses[code].status, outcome, () => sendError(response, code, id, this.#extraHeaders))
  }

  /** Answers without a note: it is for want of a place to note it that the request is not taken. */
  #turnAway(error: SpoolFullError): void {
    const code = 'unavailable'
    this.#input.onError(error)
    sendError(this.#input.response, code, this.#input.id)
    this.#plan.giveUp()
    this.#finished = true
    this.#input.onFinish(
      { ...this.#event, attempts: 0, status: errorResponses[code].status, outcome: 'completed' },
      undefined,
    )
  }

  starting(): void {
    this.#input.recorder.confirm(this.#begun!)
  }

  begin(attempt: Attempt, status: number, headers: IncomingHttpHeaders): ProviderResponse | undefined {
    const next = this.#plan.afterAnswer(attempt.key, status, headers)
    if (next) {
      this.#logAttempt(attempt, String(status))
      this.#schedule(next)
      return undefined
    }
    this.#sink.hide(attempt.key.secret)
    return this.#open(status, hideSecret(headers, attempt.key.secret))
  }

  onceDrained(resume: () => void): void {
    this.#sink.onceDrained(resume)
  }

  done(attempt: Attempt): void {
    this.#timing.providerDone()
    this.#logAttempt(attempt, String(this.#event.status))
    this.#answer?.end()
    this.discarded(attempt)
    this.#finish(this.#event.status, 'completed', () => this.#sink.letGo())
  }

  failed(attempt: Attempt, error: Error): void {
    if (error instanceof SpoolFullError) return this.#turnAway(error)
    const code = upstreamErrorCode(error)
    this.#logAttempt(attempt, code)
    const next = this.#plan.afterFailure(attempt.key, code)
    if (next) return this.#schedule(next)
    this.#timing.providerDone()
    this.#sendError(code, 'upstream_failed')
  }

  broken(attempt: Attempt, error: Error): void {
    const code = upstreamErrorCode(error)
    this.#logAttempt(attempt, code)
    this.#timing.providerDone()
    if (!this.#input.response.headersSent) return this.#sendError(code, 'upstream_failed')
    this.#event.errorMessage = errorResponses[code].message
    this.#finish(this.#event.status, 'upstream_failed', () => this.#breakOff())
  }

  /** The client must see an abort: a clean end would pass for a whole answer. HTTP/1.0 knows no other end than it. */
  #breakOff(): void {
    const { request, response } = this.#input
    if (request.httpVersion === '1.0') response.socket?.resetAndDestroy()
    response.destroy()
  }

  #try(key: ProviderKey): void {
    const { request, account, target, body, metadata, hop } = this.#input
    this.#event.apiKeyId = key.id
    this.#event.attempts += 1
    this.#plan.use(key.id)
    const attempt = new Attempt(this, key, request.method === 'HEAD')
    this.#attempt = attempt
    this.#dispatcher!.dispatch(
      {
        origin: account.origin,
        method: request.method as Dispatcher.HttpMethod,
        path: account.basePath + target.pathAndQuery,
        headers: toUpstreamHeaders(request.headers, key.secret, { body, hop }),
        body:
          metadata.bodyWithUsage && account.streamUsage
            ? metadata.bodyWithUsage
            : body && ('bytes' in body ? body.bytes : body.stream),
        headersTimeout: account.timeout,
        bodyTimeout: account.timeout,
      },
      attempt,
    )
  }

  discarded({ key, status, headers, discarded }: Attempt): void {
    this.#plan.afterRefusal(key, status, headers, discarded ?? this.#answer?.whole() ?? Buffer.alloc(0))
  }

  #schedule({ key, afterMs }: NextTry): void {
    if (this.#finished) return
    this.#attempt = undefined
    this.#retryTimer = setTimeout(() => {
      if (!this.#finished) this.#try(key)
    }, afterMs)
  }

  #open(status: number, headers: IncomingHttpHeaders): ProviderResponse {
    const event = this.#event
    event.status = status
    event.timeToFirstByteMs = this.#timing.elapsedMs()
    event.responseHeaders = toLoggedHeaders(headers, this.#input.account.logClientAddress)
    event.providerRequestId = headers['x-request-id']?.toString().slice(0, 200) ?? null
    event.streamed = headers['content-type']?.startsWith('text/event-stream') ?? false
    this.#answerHeaders = toClientHeaders(headers)
    const hidesUsage = this.#input.metadata.bodyWithUsage !== undefined && this.#input.account.streamUsage
    this.#answer = openResponse(this.#sink, status, headers, {
      hidesUsage,
      headers: [...this.#answerHeaders, 'x-request-id', this.#input.id, ...inertHeaders, ...this.#extraHeaders],
      summarise: (usage) => this.#summarise(usage),
      timing: () => this.#timing.header(),
    })
    return this.#answer
  }

  /** Headers that tell what a whole answer used. */
  #summarise(usage: TokenUsage | undefined): string[] {
    const event = this.#event
    Object.assign(event, meter(event, usage, 0))
    this.#isMetered = true
    const overheadMs = this.#timing.overheadMs()
    const headers = ['x-sallyport-overhead-ms', overheadMs, 'server-timing', this.#timing.header(overheadMs)]
    if (usage) {
      headers.push('x-sallyport-prompt-tokens', String(usage.promptTokens))
      headers.push('x-sallyport-completion-tokens', String(usage.completionTokens))
    }
    if (event.costNanoUsd !== null) headers.push('x-sallyport-cost-usd', (event.costNanoUsd / 1e9).toFixed(9))
    return headers
  }

  #clientGone(): void {
    if (this.#finished) return
    clearTimeout(this.#retryTimer)
    if (this.#attempt) {
      this.#plan.release(this.#attempt.key.id)
      this.#logAttempt(this.#attempt, 'client_aborted')
    }
    this.#timing.providerDone()
    this.#finish(this.#event.status, this.#input.isCutting() ? 'interrupted' : 'client_aborted')
    this.#attempt?.abandon(new Error('the client is gone'))
  }

  /** @param send gives the client the end. Not before that is noted: a proxy may be killed between the two */
  #finish(status: number, outcome: RequestOutcome, send?: () => void): void {
    if (this.#finished) return
    this.#finished = true
    const event = this.#event
    if (event.attempts === 0) this.#plan.giveUp()
    event.status = status
    event.outcome = outcome
    event.responseBytes = this.#sink.bytes
    if (event.attempts > 0 && !this.#isMetered)
      Object.assign(event, meter(event, this.#answer?.usage(), this.#answer?.pieces ?? 0))
    if (this.#input.account.logBodies && isReadable(event.responseHeaders['content-type'])) {
      event.responseBody = this.#sink.kept().toString('utf8', 0, keptBodyBytes)
    }
    event.responseTimeMs = this.#timing.elapsedMs()
    event.overheadUs = this.#timing.overheadUs()
    void this.#end(send)
  }

  async #end(send: (() => void) | undefined): Promise<void> {
    const { recorder, onFinish, onError } = this.#input
    try {
      await recorder.end(this.#event, this.#begun)
      send?.()
      onFinish(this.#event, this.#wholeAnswer())
    } catch (error) {
      onError(error)
    }
  }

  #wholeAnswer(): StoredResponse | undefined {
    const { status, outcome } = this.#event
    const isWhole = outcome === 'completed' && this.#answer !== undefined && this.#sink.keptAll
    return isWhole ? { status, headers: this.#answerHeaders, body: this.#sink.kept() } : undefined
  }

  #logAttempt({ key, startedAt }: Attempt, result: string): void {
    this.#event.attemptLog.push(this.#timing.attempt(key.id, startedAt, result))
  }
}
