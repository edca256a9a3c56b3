import type { IncomingMessage, ServerResponse } from 'node:http'
import { ForbiddenAddressError } from '#shared/address-guard.ts'
import type { ClientAddressOf } from '#shared/client-address.ts'
import type { Logger } from '#core/logger.ts'
import { TooMuchAtOnceError } from '#core/limits/shared-limit.ts'
import { type Admission, admit, type Rejection, rejectionAtLimit } from './admission/admit.ts'
import { type ResponseCache, cachedBytes, cacheTerms, type CacheLookup } from './cache/response-cache.ts'
import type { Authenticate } from './auth/authenticate.ts'
import { Exchange, type Recorder } from './forward/proxied-request.ts'
import type { ReceivedRequest } from './log/request-log-builder.ts'
import type { Hops } from './request/hops.ts'
import type { KeyHealth } from './keys/key-health.ts'
import type { Limiter } from './admission/limiter.ts'
import type { LocalResponses } from './response/local-responses.ts'
import { CredentialsUnavailableError } from './auth/credential-cache.ts'
import { type ErrorCode, sendError } from './response/error-responses.ts'
import { BodyTimeoutError, BodyTooLargeError, takeBody } from './request/body.ts'
import { AmbiguousModelError, noMetadata, readMetadata } from './request/metadata.ts'
import type { RequestLimits } from './request/request-share.ts'
import { RequestTiming } from './log/request-timing.ts'
import { SpoolFullError } from './spool/spool-full-error.ts'
import { parseTarget } from './request/target.ts'
import { isModelAllowed } from './auth/token-restrictions.ts'
import type { RequestObserver } from './telemetry/metrics.ts'
import type { UpstreamPools } from './forward/upstream-pools.ts'

export interface ServeOptions {
  clientAddressOf: ClientAddressOf
  authenticate: Authenticate
  hops: Hops
  pools: UpstreamPools
  recorder: Recorder
  localResponses: LocalResponses
  limiter: Limiter
  requestLimits: RequestLimits
  health: KeyHealth
  cache: ResponseCache
  logger: Logger
  /** Larger request bodies are refused, bytes. */
  maxBodyBytes: number
  observer: RequestObserver
  /** Whether requests that are under way are being cut off, because the process stops. */
  isCutting: () => boolean
}

export interface ServedRequest {
  id: string
  request: IncomingMessage
  response: ServerResponse
}

/** A request of a known account, as far as it has been read. */
interface KnownRequest {
  received: ReceivedRequest
  response: ServerResponse
  timing: RequestTiming
}

/** The one way through the gateway: authenticate, admit, read, forward, record. */
export function createServe(options: ServeOptions): (served: ServedRequest) => Promise<void> {
  const { authenticate, hops, recorder, limiter, localResponses, health, logger, maxBodyBytes, observer } = options

  async function serve({ id, request, response }: ServedRequest): Promise<void> {
    const timing = new RequestTiming(performance.now())
    if (hops.hasPassed(request.headers)) return rejectUnknown(response, 'loop_detected', id)
    const account = await authenticate(request)
    if (typeof account === 'string') return rejectUnknown(response, account, id)
    const target = parseTarget(request.url ?? '')
    if (!target) return sendError(response, 'invalid_path', id)
    const clientAddress = options.clientAddressOf(request)
    const received: ReceivedRequest = {
      id,
      request,
      clientAddress,
      account,
      target,
      body: undefined,
      metadata: noMetadata,
    }
    const known: KnownRequest = { received, response, timing }
    const admission = await admit(account, clientAddress, options)
    if ('code' in admission) return localResponses.reject(known, admission)
    try {
      await serveAdmitted(known, admission)
    } catch (error) {
      admission.share.release()
      limiter.refund(account, admission.decision)
      if (response.destroyed || response.headersSent) return void response.destroy()
      // What can't be noted is not taken, and so it is not logged either.
      if (error instanceof SpoolFullError) throw error
      logFailure(error, id)
      await localResponses.reject(known, rejectionOf(error))
    }
  }

  function rejectUnknown(response: ServerResponse, code: ErrorCode, id: string): void {
    observer.refused(code)
    sendError(response, code, id)
  }

  async function serveAdmitted(known: KnownRequest, { share, decision }: Admission): Promise<void> {
    const { received, response } = known
    const { account, request, target } = received
    received.body = await takeBody(request, response, { maxBytes: maxBodyBytes, share })
    received.metadata = await readMetadata(received.body, request.headers['content-type'], target)
    if (!isModelAllowed(account, received.metadata.model)) {
      share.release()
      limiter.refund(account, decision)
      return localResponses.reject(known, { code: 'model_not_allowed', headers: decision.headers })
    }
    const terms = cacheTerms(account, request, target, received.body)
    const turn = terms && (await options.cache.turn(terms))
    if (turn?.answer) {
      share.release()
      limiter.refund(account, decision, 'quota')
      return localResponses.serveCached(known, turn.answer)
    }
    try {
      forward(known, { share, decision }, turn)
    } catch (error) {
      turn?.land(undefined)
      throw error
    }
  }

  function forward(
    { received, response, timing }: KnownRequest,
    { share, decision }: Admission,
    turn?: CacheLookup,
  ): void {
    const { account } = received
    const exchange = new Exchange({
      ...received,
      response,
      timing,
      recorder,
      health,
      share,
      hop: hops.next(received.request.headers),
      keepBytes: turn ? cachedBytes : 0,
      isCutting: options.isCutting,
      onFinish(event, answer) {
        share.release()
        turn?.land(answer?.status === 200 ? answer : undefined)
        if (event.attempts === 0) limiter.refund(account, decision)
        if (event.costNanoUsd) limiter.spend(account, event.costNanoUsd)
        observer.finished(event)
      },
      onError: (error) => logFailure(error, received.id),
    })
    exchange.forward(options.pools.get(account.accountId, account.origin), decision.headers, turn ? 'miss' : null)
  }

  /** The operator's part of an error; the client's is `rejectionOf`. */
  function logFailure(error: unknown, requestId: string): void {
    const { code } = rejectionOf(error)
    if (code === 'internal_error') logger.error({ err: error, requestId }, 'a request failed')
    if (code === 'unavailable') logger.warn({ err: error, requestId }, 'a request was turned away')
  }

  return async (served) => {
    try {
      await serve(served)
    } catch (error) {
      const { id, response } = served
      if (response.destroyed || response.headersSent) return void response.destroy()
      logFailure(error, id)
      sendError(response, rejectionOf(error).code, id)
    }
  }
}

function rejectionOf(error: unknown): Rejection {
  if (error instanceof TooMuchAtOnceError) return rejectionAtLimit(error.scope)
  return { code: codeOf(error), headers: [] }
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof ForbiddenAddressError) return 'upstream_forbidden'
  if (error instanceof AmbiguousModelError) return 'ambiguous_model'
  if (error instanceof BodyTooLargeError) return 'body_too_large'
  if (error instanceof BodyTimeoutError) return 'body_timeout'
  const isMissing = error instanceof SpoolFullError || error instanceof CredentialsUnavailableError
  return isMissing ? 'unavailable' : 'internal_error'
}
