import type { IncomingMessage, ServerResponse } from 'node:http'
import { ForbiddenAddressError } from '#shared/address-guard.ts'
import type { ClientAddressOf } from '#shared/client-address.ts'
import type { Logger } from '#core/logger.ts'
import { TooMuchAtOnceError } from '#core/limits/shared-limit.ts'
import { type Admission, admit, type Rejection, rejectionAtLimit } from './admission/admit.ts'
import { type AnswerCache, cachedBytes, cacheTerms, type CacheTurn } from './cache/response-cache.ts'
import type { Authenticate } from './auth/authenticate.ts'
import { Exchange, type Recorder } from './forward/proxied-request.ts'
import type { ReceivedRequest } from './log/request-log-builder.ts'
import type { Hops } from './request/hops.ts'
import type { KeyHealth } from './keys/key-health.ts'
import type { Limiter } from './admission/limiter.ts'
import type { LocalResponses } from './response/local-responses.ts'
import { PrincipalsUnavailableError } from './auth/credential-cache.ts'
import { type RefusalCode, refuse } from './response/error-responses.ts'
import { BodyTimeoutError, BodyTooLargeError, takeBody } from './request/body.ts'
import { AmbiguousModelError, noFacts, readFacts } from './request/metadata.ts'
import type { RequestLimits } from './request/request-share.ts'
import { RequestTiming } from './log/request-timing.ts'
import { SpoolFullError } from './spool/spool-full-error.ts'
import { parseTarget } from './request/target.ts'
import { mayUseModel } from './auth/token-restrictions.ts'
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
  cache: AnswerCache
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
    const caller = await authenticate(request)
    if (typeof caller === 'string') return rejectUnknown(response, caller, id)
    const target = parseTarget(request.url ?? '')
    if (!target) return refuse(response, 'invalid_path', id)
    const clientAddress = options.clientAddressOf(request)
    const received: ReceivedRequest = { id, request, clientAddress, caller, target, body: undefined, facts: noFacts }
    const known: KnownRequest = { received, response, timing }
    const admission = await admit(caller, clientAddress, options)
    if ('code' in admission) return localResponses.reject(known, admission)
    try {
      await serveAdmitted(known, admission)
    } catch (error) {
      admission.share.release()
      limiter.refund(caller, admission.decision)
      if (response.destroyed || response.headersSent) return void response.destroy()
      // What can't be noted is not taken, and so it is not logged either.
      if (error instanceof SpoolFullError) throw error
      logFailure(error, id)
      await localResponses.reject(known, rejectionOf(error))
    }
  }

  function rejectUnknown(response: ServerResponse, code: RefusalCode, id: string): void {
    observer.refused(code)
    refuse(response, code, id)
  }

  async function serveAdmitted(known: KnownRequest, { share, decision }: Admission): Promise<void> {
    const { received, response } = known
    const { caller, request, target } = received
    received.body = await takeBody(request, response, { maxBytes: maxBodyBytes, share })
    received.facts = await readFacts(received.body, request.headers['content-type'], target)
    if (!mayUseModel(caller, received.facts.model)) {
      share.release()
      limiter.refund(caller, decision)
      return localResponses.reject(known, { code: 'model_not_allowed', headers: decision.headers })
    }
    const terms = cacheTerms(caller, request, target, received.body)
    const turn = terms && (await options.cache.turn(terms))
    if (turn?.answer) {
      share.release()
      limiter.refund(caller, decision, 'quota')
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
    turn?: CacheTurn,
  ): void {
    const { caller } = received
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
        if (event.attempts === 0) limiter.refund(caller, decision)
        if (event.costNanoUsd) limiter.spend(caller, event.costNanoUsd)
        observer.finished(event)
      },
      onError: (error) => logFailure(error, received.id),
    })
    exchange.forward(options.pools.get(caller.accountId, caller.origin), decision.headers, turn ? 'miss' : null)
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
      refuse(response, rejectionOf(error).code, id)
    }
  }
}

function rejectionOf(error: unknown): Rejection {
  if (error instanceof TooMuchAtOnceError) return rejectionAtLimit(error.scope)
  return { code: codeOf(error), headers: [] }
}

function codeOf(error: unknown): RefusalCode {
  if (error instanceof ForbiddenAddressError) return 'upstream_forbidden'
  if (error instanceof AmbiguousModelError) return 'ambiguous_model'
  if (error instanceof BodyTooLargeError) return 'body_too_large'
  if (error instanceof BodyTimeoutError) return 'body_timeout'
  const isMissing = error instanceof SpoolFullError || error instanceof PrincipalsUnavailableError
  return isMissing ? 'unavailable' : 'internal_error'
}
