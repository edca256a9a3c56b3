import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import { type RequestEvent, pendingEvent } from '#schemas/request-event.ts'
import { keptBodyBytes } from '#schemas/request-logs.ts'
import { type RequestOutcome } from '#schemas/request-outcome.ts'
import { previousSecret, previousSecretTag } from '#schemas/tags.ts'
import { type ProxyErrorCode, proxyErrors } from '#schemas/proxy-errors.ts'
import type { Account } from '../auth/account.ts'
import { fallbackModelsOf } from '../auth/other-models.ts'
import type { JobClaim } from '../keys/object-keys.ts'
import { bytesOf, type RequestBody } from '../request/body.ts'
import type { RequestMetadata } from '../request/metadata.ts'
import { hasTextElsewhere } from '../request/stored-text.ts'
import { isInteraction, sentEndpointOf, type Target } from '../request/target.ts'
import type { ClientSink } from '../response/client-sink.ts'
import { errorMessage } from '../response/error-responses.ts'
import { framingOf, isStreamed } from '../response/framing.ts'
import { headerOf } from '../response/headers.ts'
import type { ProviderError } from '../response/provider-error.ts'
import type { ProviderResponse, StoredResponse } from '../response/response.ts'
import type { OpenRequest } from '../spool/segment.ts'
import type { Spool } from '../spool/spool.ts'
import { completionWindowOf } from '../usage/completion-window.ts'
import {
  bytesPerToken,
  costsNothing,
  free,
  type LearnedUsage,
  type Metered,
  meter,
  meterSession,
  type StreamTokens,
} from '../usage/metering.ts'
import { makesSpeech, readSpeech } from '../usage/speech.ts'
import { costInHeaders, type TokenUsage } from '../usage/token-usage.ts'
import { loggedQuery, toLoggedHeaders } from './logged-headers.ts'
import type { EndedResponse } from '../usage/open-responses.ts'
import type { RequestTrace } from './request-trace.ts'
import type { RequestTiming } from './request-timing.ts'

/** How many responses of a WebSocket session are listed, besides what had not ended. All of them are metered. */
const keptResponses = 100

/** A request of an authenticated account. */
export interface ReceivedRequest {
  id: string
  request: IncomingMessage
  clientAddress: string | undefined
  account: Account
  target: Target
  timing: RequestTiming
  /** Decided once, on arrival. */
  logsBodies: boolean
  body: RequestBody
  metadata: RequestMetadata
  tags: RequestEvent['tags']
  /** Undefined when tracing is disabled. */
  trace?: RequestTrace
}

/** Builds the log of a request to the provider. Its event can be logged at any time, in case the process dies. */
export class RequestLogBuilder {
  readonly event: RequestEvent
  /** Whether the provider may have worked on one of the attempts. */
  mayHaveCost = false
  readonly #received: ReceivedRequest
  #response: ProviderResponse | undefined
  #isMetered = false
  #costInHeaders: number | undefined
  #jobUsage: TokenUsage | undefined
  #responseSums: Metered = free

  constructor(received: ReceivedRequest) {
    this.#received = received
    this.event = createRequestLog(received)
  }

  /** Records the request before it is sent. @throws SpoolFullError */
  begin(
    recorder: Pick<Spool, 'begin'>,
    apiKeyId: string,
    cacheStatus: RequestEvent['cacheStatus'] = null,
  ): OpenRequest {
    this.event.apiKeyId = apiKeyId
    this.event.cacheStatus = cacheStatus
    return recorder.begin(this.event)
  }

  attemptStarted(apiKeyId: string): void {
    this.event.apiKeyId = apiKeyId
    this.event.attempts += 1
  }

  /** @param result HTTP status or error code */
  attemptEnded(apiKeyId: string, startedAt: number, result: string, mayHaveCost: boolean): void {
    this.mayHaveCost ||= mayHaveCost
    this.event.attemptLog.push(this.#received.timing.attempt(apiKeyId, startedAt, result))
  }

  /** @param response relays the body; undefined for a WebSocket */
  responded(status: number, headers: IncomingHttpHeaders, response?: ProviderResponse): void {
    const { event } = this
    event.status = status
    event.timeToFirstByteMs = this.#received.timing.elapsedMs()
    event.responseHeaders = toLoggedHeaders(headers, this.#received.account.logClientAddress)
    if (!response) return
    this.#response = response
    event.providerRequestId = headers['x-request-id']?.toString().slice(0, 200) ?? null
    event.streamed = isStreamed(framingOf(headers['content-type']))
    this.#costInHeaders = costInHeaders(headers, event.streamed)
  }

  /** A job's usage is not counted yet, because it may be read many times. */
  meter(usage: TokenUsage | undefined, stream?: StreamTokens): void {
    this.#isMetered = true
    this.event.model ??= usage?.model ?? null
    if (usage?.jobId === undefined) this.#count(usage, stream)
    else this.#jobUsage = usage
  }

  /** Tokens of a streamed completion, estimated from its pieces. */
  get estimatedTokens(): number {
    return this.#response?.estimatedTokens ?? 0
  }

  get hasTextElsewhere(): boolean {
    return hasTextElsewhere(this.#received)
  }

  /** The provider's job whose usage the response reported. */
  get jobId(): string | undefined {
    return this.#jobUsage?.jobId
  }

  /** @param claim if undefined, the cost of reading a job is unknown */
  countJob(claim: JobClaim | undefined): void {
    const completionWindow = completionWindowOf(this.#received) ?? claim?.window
    const usage = this.#jobUsage && completionWindow ? { ...this.#jobUsage, completionWindow } : this.#jobUsage
    if (claim?.isFirst ?? isInteraction(this.#received.target)) this.#count(usage)
    else if (claim) Object.assign(this.event, free)
  }

  #count(usage: TokenUsage | undefined, stream?: StreamTokens): void {
    const { account, body, metadata } = this.#received
    const fallbacks = fallbackModelsOf(body, metadata.terms)
    const isSpeech = !usage && makesSpeech(this.event.endpoint) && body && 'bytes' in body
    const speech = isSpeech ? readSpeech(body.bytes) : undefined
    const callsModel = metadata.terms?.inputs !== undefined
    const reported = { usage, stream, speech, fallbacks, callsModel, costNanoUsd: this.#costInHeaders }
    Object.assign(this.event, meter(this.event, account.prices, reported))
  }

  #likelyTokens(learned: Partial<LearnedUsage> = {}): StreamTokens {
    const { tokensPerByte = 1 / bytesPerToken, keptPromptTokens = 0, tokensPerEstimate = 1, hiddenTokens = 0 } = learned
    const audioTokens = this.#response?.estimatedAudioTokens ?? 0
    return {
      promptTokens: Math.ceil(this.event.requestBytes * tokensPerByte + keptPromptTokens),
      completionTokens: Math.round(this.estimatedTokens * tokensPerEstimate + hiddenTokens),
      audioCompletionTokens: Math.round(audioTokens * tokensPerEstimate),
    }
  }

  /**
   * A response ended within a WebSocket session.
   * @param isLast whether its session has ended, too
   */
  responseEnded({ model: named, status, usage, isTranscription }: EndedResponse, isLast = false): void {
    const { event } = this
    if (!isTranscription) event.model ??= named
    const model = isTranscription ? named : (named ?? event.model)
    const responses = (event.responses ??= [])
    if (responses.length < keptResponses || isLast) {
      const { promptTokens = null, completionTokens = null } = usage ?? {}
      responses.push({ endedAfterMs: this.#received.timing.elapsedMs(), model, status, promptTokens, completionTokens })
    }
    if (!usage) return
    this.#responseSums = meterSession(this.#responseSums, this.#received.account.prices, model, usage)
    Object.assign(event, this.#responseSums)
  }

  /** A session also costs by its duration, which has not ended. */
  sessionLasts({ model, usage }: EndedResponse): void {
    if (usage) Object.assign(this.event, meterSession(this.#responseSums, this.#received.account.prices, model, usage))
  }

  /** Records the error that the provider reported. */
  providerFailed({ message, code, type }: ProviderError): void {
    Object.assign(this.event, { errorMessage: message, errorCode: code, errorType: type })
  }

  /** @param isHeadSent whether the client already has the provider's status */
  failed(code: ProxyErrorCode, isHeadSent: boolean): void {
    if (!isHeadSent) {
      this.event.status = proxyErrors[code].status
      this.#response = undefined
    }
    Object.assign(this.event, gatewayError(code, this.#received.account.timeout))
  }

  /**
   * @param sink undefined for a WebSocket, whose usage is unknown
   * @param learned from other requests of the model
   */
  complete(outcome: RequestOutcome, sink?: ClientSink, learned?: LearnedUsage): RequestEvent {
    const { event } = this
    const { timing, logsBodies, body, metadata } = this.#received
    event.outcome = outcome
    event.responseTimeMs = timing.elapsedMs()
    // If no response came, its cost is unknown, unless nothing was sent, only errors came back, or the request is free.
    const isFree = !this.#response && sink && costsNothing(event.method, event.endpoint) && !metadata.terms?.inputs
    if (isFree || (!this.#response && !this.mayHaveCost)) Object.assign(event, free)
    if (!sink) return event
    event.responseBytes = sink.bytes
    event.requestBytes = bytesOf(body)
    if (this.#response && !this.#isMetered) {
      const usage = this.#response.usage?.()
      // The provider continues a job whose stream breaks off, and its whole usage counts when it is read.
      const isUnfinishedJob = usage === undefined && this.#response.isJob?.()
      this.meter(usage, isUnfinishedJob ? undefined : this.#likelyTokens(learned))
    }
    if (logsBodies && isReadable(event.responseHeaders['content-type'])) event.responseBody = logged(sink.kept())
    event.overheadUs = timing.overheadUs()
    return event
  }
}

/** The log of a request that the gateway rejected, which costs nothing. */
export function createRejectionLog(received: ReceivedRequest, code: ProxyErrorCode): RequestEvent {
  const { status } = proxyErrors[code]
  return createLocalLog(received, { status, ...gatewayError(code, received.account.timeout), ...free })
}

/** The log of a request served from the cache, which costs nothing. */
export function createCacheHitLog(
  received: ReceivedRequest,
  { status, headers, body }: StoredResponse,
  isClientGone: boolean,
): RequestEvent {
  const type = headerOf(headers, 'content-type')
  return createLocalLog(received, {
    status: isClientGone ? 0 : status,
    outcome: isClientGone ? 'client_aborted' : 'completed',
    cacheStatus: 'hit',
    ...free,
    timeToFirstByteMs: received.timing.elapsedMs(),
    responseBytes: body.length,
    responseBody: received.logsBodies && isReadable(type) ? logged(body) : null,
  })
}

const createLocalLog = (received: ReceivedRequest, changes: Partial<RequestEvent>): RequestEvent => ({
  ...createRequestLog(received),
  outcome: 'completed',
  responseTimeMs: received.timing.elapsedMs(),
  overheadUs: received.timing.overheadUs(),
  ...changes,
})

/** The event to be logged if the process dies before the request ends. */
function createRequestLog(received: ReceivedRequest): RequestEvent {
  const { id, request, clientAddress, account, target, logsBodies, body, metadata, tags } = received
  const { headers } = request
  const isKept = logsBodies && isReadable(headers['content-type'], headers['content-encoding'])
  const keptBody = isKept && body && 'bytes' in body ? body.bytes : undefined
  return {
    ...pendingEvent,
    version: 1,
    id,
    accountId: account.accountId,
    tokenId: account.tokenId,
    apiKeyId: null,
    method: request.method ?? '',
    endpoint: sentEndpointOf(target),
    query: loggedQuery(target),
    tags: account.isPreviousSecret ? { ...tags, [previousSecretTag]: previousSecret } : tags,
    model: metadata.model,
    attemptLog: [],
    streamed: metadata.isStream,
    requestBytes: bytesOf(body),
    clientAddress: account.logClientAddress ? (clientAddress ?? null) : null,
    userAgent: headers['user-agent'] ?? null,
    requestHeaders: toLoggedHeaders(headers, account.logClientAddress),
    responseHeaders: {},
    requestBody: keptBody ? logged(keptBody) : null,
  }
}

const gatewayError = (code: ProxyErrorCode, timeoutMs: number) => ({
  errorMessage: errorMessage(code, timeoutMs),
  errorCode: code,
  errorType: proxyErrors[code].type,
})

/** Where a body may have been cut, a character that is not complete is left out. */
const logged = (body: Buffer) =>
  body.length < keptBodyBytes ? body.toString() : new StringDecoder().write(body.subarray(0, keptBodyBytes))

/** Whether a body is readable text. Response bodies are already decompressed. */
const isReadable = (contentType: string | undefined, contentEncoding = 'identity'): boolean =>
  contentEncoding === 'identity' && /^text\/|json|xml|x-www-form-urlencoded/i.test(contentType ?? '')
