import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import type { RequestEvent, RequestOutcome } from '#schemas/request-event.ts'
import type { Answer } from './answers/answer.ts'
import { ClientSink } from './answers/client-sink.ts'
import { openAnswer } from './answers/open-answer.ts'
import { Attempt, type AttemptOwner } from './attempt.ts'
import { ExchangePlan, type NextTry } from './exchange-plan.ts'
import { firstEvent, isReadable, keptBodyBytes, type ReceivedRequest } from './first-event.ts'
import { toClientHeaders, toLoggedHeaders, toUpstreamHeaders } from './headers.ts'
import type { KeyHealth } from './key-health.ts'
import { meter } from './metering.ts'
import type { ProviderKey } from './principal-cache.ts'
import { type RefusalCode, refusals, refuse } from './refusals.ts'
import { judgeFailure, judgeStatus, keyRestMs, retryAfterMs } from './retry-policy.ts'
import type { TokenUsage } from './token-usage.ts'
import { upstreamRefusal } from './upstream-errors.ts'

/** Where requests are noted, when they begin and when they have ended. */
export interface Recorder {
  begin(event: RequestEvent): void
  end(event: RequestEvent): void
}

export interface ExchangeInput extends ReceivedRequest {
  response: ServerResponse
  /** When the request arrived, by the monotonic clock. */
  arrivedAt: number
  recorder: Recorder
  health: KeyHealth
  /** Answers longer than this are not handed to `onFinish`; 0: none are. */
  keepBytes: number
  onFinish(event: RequestEvent, answer: FinishedAnswer | undefined): void
}

/** A whole answer as the client got it. */
export interface FinishedAnswer {
  status: number
  headers: string[]
  body: Buffer
}

/** One request on its way to the provider and back, over as many attempts as it takes. It ends exactly once. */
export class Exchange implements AttemptOwner {
  readonly #input: ExchangeInput
  readonly #event: RequestEvent
  readonly #sink: ClientSink
  readonly #plan: ExchangePlan
  #dispatcher: Dispatcher | undefined
  #attempt: Attempt | undefined
  #answer: Answer | undefined
  #answerHeaders: string[] = []
  #extraHeaders: readonly string[] = []
  #retryTimer: NodeJS.Timeout | undefined
  #dispatchedAt = 0
  #providerDoneAt = 0
  #isMetered = false
  #finished = false

  constructor(input: ExchangeInput) {
    const { caller, health, response, keepBytes } = input
    this.#input = input
    this.#event = firstEvent(input)
    this.#sink = new ClientSink(response, Math.max(keepBytes, caller.logBodies ? keptBodyBytes : 0))
    this.#plan = new ExchangePlan({
      keys: caller.keys,
      retries: input.body && 'stream' in input.body ? 0 : caller.retryAttempts,
      patienceMs: caller.timeout,
      health,
    })
  }

  /** Sends the request to the provider. @param extraHeaders of the answer: name, value, name, value … */
  forward(dispatcher: Dispatcher, extraHeaders: readonly string[], cacheStatus: 'miss' | null): void {
    this.#event.cacheStatus = cacheStatus
    this.#extraHeaders = cacheStatus ? [...extraHeaders, 'x-sallyport-cache', cacheStatus] : extraHeaders
    const key = this.#plan.first()
    if (!key) return this.refuse('no_active_key', extraHeaders)
    this.#dispatcher = dispatcher
    this.#event.apiKeyId = key.id
    this.#input.recorder.begin(this.#event)
    this.#input.response.once('close', () => this.#clientGone())
    this.#dispatchedAt = performance.now()
    this.#try(key)
  }

  /** Answers in the provider's place, and notes that. */
  refuse(code: RefusalCode, headers: readonly string[] = []): void {
    this.#event.errorMessage = refusals[code].message
    refuse(this.#input.response, code, this.#input.id, headers)
    this.#finish(refusals[code].status, 'completed')
  }

  /** Answers from the cache: nothing is asked of the provider, and nothing is paid. */
  replay({ status, headers, body }: FinishedAnswer): void {
    this.#event.cacheStatus = 'hit'
    this.#event.costNanoUsd = 0
    this.#event.costSource = 'exact'
    this.#sink.writeHead({ status, headers: [...headers, 'x-request-id', this.#input.id, 'x-sallyport-cache', 'hit'] })
    this.#sink.write(body)
    this.#sink.end()
    this.#event.timeToFirstByteMs = this.#elapsedMs()
    this.#finish(status, 'completed')
  }

  begin(attempt: Attempt, status: number, headers: IncomingHttpHeaders): Answer | undefined {
    const askedForMs = retryAfterMs(headers)
    const verdict = judgeStatus(status)
    if (verdict === 'next-key') this.#input.health.rest(attempt.key.id, keyRestMs(status, askedForMs))
    else this.#input.health.recovered(attempt.key.id)
    const next = this.#isReplayable ? this.#plan.next(verdict, attempt.key, status, askedForMs) : undefined
    if (next) {
      this.#logAttempt(attempt, String(status))
      this.#schedule(next)
      return undefined
    }
    return this.#open(status, headers)
  }

  onceDrained(resume: () => void): void {
    this.#sink.onceDrained(resume)
  }

  done(attempt: Attempt): void {
    this.#providerDoneAt = performance.now()
    this.#logAttempt(attempt, String(this.#event.status))
    this.#answer?.end()
    this.#finish(this.#event.status, 'completed')
  }

  failed(attempt: Attempt, error: Error): void {
    const code = upstreamRefusal(error)
    this.#logAttempt(attempt, code)
    this.#input.health.release(attempt.key.id)
    const next = this.#isReplayable ? this.#plan.next(judgeFailure(code), attempt.key, undefined, undefined) : undefined
    if (next) return this.#schedule(next)
    this.#event.errorMessage = refusals[code].message
    this.#providerDoneAt = performance.now()
    refuse(this.#input.response, code, this.#input.id, this.#extraHeaders)
    this.#finish(refusals[code].status, 'upstream_failed')
  }

  broken(attempt: Attempt, error: Error): void {
    const code = upstreamRefusal(error)
    this.#logAttempt(attempt, code)
    this.#event.errorMessage = refusals[code].message
    this.#providerDoneAt = performance.now()
    if (this.#input.response.headersSent) {
      // The client must see an abort: a clean end would pass for a whole answer.
      this.#finish(this.#event.status, 'upstream_failed')
      this.#input.response.destroy()
    } else {
      refuse(this.#input.response, code, this.#input.id, this.#extraHeaders)
      this.#finish(refusals[code].status, 'upstream_failed')
    }
  }

  get #isReplayable(): boolean {
    const { body } = this.#input
    return body === undefined || 'bytes' in body
  }

  #try(key: ProviderKey): void {
    const { request, caller, target, body, facts } = this.#input
    this.#event.apiKeyId = key.id
    this.#event.attempts += 1
    this.#input.health.use(key.id)
    const attempt = new Attempt(this, key)
    this.#attempt = attempt
    this.#dispatcher!.dispatch(
      {
        origin: caller.origin,
        method: request.method as Dispatcher.HttpMethod,
        path: caller.basePath + target.pathAndQuery,
        headers: toUpstreamHeaders(request.headers, key.secret, { body, readsAnswer: facts.model !== null }),
        body:
          facts.bodyWithUsage && caller.streamUsage
            ? facts.bodyWithUsage
            : body && ('bytes' in body ? body.bytes : body.stream),
        headersTimeout: caller.timeout,
        bodyTimeout: caller.timeout,
      },
      attempt,
    )
  }

  #schedule({ key, afterMs }: NextTry): void {
    if (this.#finished) return
    this.#retryTimer = setTimeout(() => {
      if (!this.#finished) this.#try(key)
    }, afterMs)
  }

  #open(status: number, headers: IncomingHttpHeaders): Answer {
    const event = this.#event
    event.status = status
    event.timeToFirstByteMs = this.#elapsedMs()
    event.responseHeaders = toLoggedHeaders(headers)
    event.providerRequestId = headers['x-request-id']?.toString().slice(0, 200) ?? null
    event.streamed = headers['content-type']?.startsWith('text/event-stream') ?? false
    this.#answerHeaders = toClientHeaders(headers)
    const hidesUsage = this.#input.facts.bodyWithUsage !== undefined && this.#input.caller.streamUsage
    this.#answer = openAnswer(this.#sink, status, headers, {
      hidesUsage,
      headers: [...this.#answerHeaders, 'x-request-id', this.#input.id, ...this.#extraHeaders],
      summarise: (usage) => this.#summarise(usage),
      timing: () => this.#timing(),
    })
    return this.#answer
  }

  /** Headers that tell what a whole answer used. */
  #summarise(usage: TokenUsage | undefined): string[] {
    const event = this.#event
    Object.assign(event, meter(event, usage, 0))
    this.#isMetered = true
    const headers = [
      'x-sallyport-overhead-ms',
      (this.#overheadUs() / 1_000).toFixed(2),
      'server-timing',
      this.#timing(),
    ]
    if (usage) {
      headers.push('x-sallyport-prompt-tokens', String(usage.promptTokens))
      headers.push('x-sallyport-completion-tokens', String(usage.completionTokens))
    }
    if (event.costNanoUsd !== null) headers.push('x-sallyport-cost-usd', (event.costNanoUsd / 1e9).toFixed(9))
    return headers
  }

  #timing(): string {
    const upstreamMs = (this.#providerDoneAt || performance.now()) - this.#dispatchedAt
    return `gateway;dur=${(this.#overheadUs() / 1_000).toFixed(2)}, upstream;dur=${upstreamMs.toFixed(1)}`
  }

  #clientGone(): void {
    if (this.#finished) return
    clearTimeout(this.#retryTimer)
    if (this.#attempt) {
      this.#input.health.release(this.#attempt.key.id)
      this.#logAttempt(this.#attempt, 'client_aborted')
    }
    this.#providerDoneAt = performance.now()
    this.#finish(this.#event.status, 'client_aborted')
    this.#attempt?.abandon(new Error('the client is gone'))
  }

  #finish(status: number, outcome: RequestOutcome): void {
    if (this.#finished) return
    this.#finished = true
    const event = this.#event
    event.status = status
    event.outcome = outcome
    event.responseBytes = this.#sink.bytes
    if (event.attempts > 0 && !this.#isMetered)
      Object.assign(event, meter(event, this.#answer?.usage(), this.#answer?.pieces ?? 0))
    if (this.#input.caller.logBodies && isReadable(event.responseHeaders['content-type'])) {
      event.responseBody = this.#sink.kept().toString('utf8', 0, keptBodyBytes)
    }
    event.responseTimeMs = this.#elapsedMs()
    event.overheadUs = this.#overheadUs()
    this.#input.recorder.end(event)
    const isWhole = outcome === 'completed' && this.#answer !== undefined && this.#sink.keptAll
    this.#input.onFinish(event, isWhole ? { status, headers: this.#answerHeaders, body: this.#sink.kept() } : undefined)
  }

  #logAttempt({ key, startedAt }: Attempt, result: string): void {
    this.#event.attemptLog.push({
      apiKeyId: key.id,
      startedAfterMs: Math.round(startedAt - this.#input.arrivedAt),
      durationMs: Math.round(performance.now() - startedAt),
      result,
    })
  }

  /** What was not spent waiting for the provider, µs. */
  #overheadUs(): number {
    const now = performance.now()
    const upstreamMs = this.#dispatchedAt === 0 ? 0 : (this.#providerDoneAt || now) - this.#dispatchedAt
    return Math.round((now - this.#input.arrivedAt - upstreamMs) * 1_000)
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#input.arrivedAt)
  }
}
