import type { IncomingMessage, ServerResponse } from 'node:http'
import { inertHeaders } from '#core/http/inert-headers.ts'
import { keptBodyBytes } from '#schemas/request-logs.ts'
import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import { type Admission, admit } from './admission/admit.ts'
import { isRequestAllowed } from './admission/allowed-request.ts'
import { recordRejection, type Rejection, rejectionOf } from './admission/rejection.ts'
import type { RequestServices } from './admission/services.ts'
import { logsBodies } from './auth/account.ts'
import { reportsError } from './cache/reported-error.ts'
import {
  ageOf,
  cachedBytes,
  cacheTerms,
  isStorable,
  type LeaderResult,
  type ResponseCache,
} from './cache/response-cache.ts'
import { forward, type ForwardOutcome } from './forward/forward.ts'
import { UpstreamAttempt } from './forward/upstream-attempt.ts'
import type { ObjectKeys } from './keys/object-keys.ts'
import { RetryPlan } from './keys/retry-plan.ts'
import { createCacheHitLog, type ReceivedRequest, RequestLogBuilder } from './log/request-log-builder.ts'
import { RequestTiming } from './log/request-timing.ts'
import { takeBody } from './request/body.ts'
import { drainBriefly } from './request/drain-briefly.ts'
import { mayBeRepeated, viaProvider } from './request/headers.ts'
import { noMetadata, readMetadata } from './request/metadata.ts'
import { tagsOf, warnOfTags } from './request/tags.ts'
import { parseTarget } from './request/target.ts'
import { ClientSink } from './response/client-sink.ts'
import { varyOf } from './response/cors.ts'
import { sendError } from './response/error-responses.ts'
import { withoutHeader } from './response/headers.ts'
import type { ResponseHead, StoredResponse } from './response/response.ts'
import type { OpenRequest } from './spool/segment.ts'
import { SpoolFullError } from './spool/spool-full-error.ts'

export interface RequestHandlerOptions extends RequestServices {
  cache: ResponseCache
  objects: ObjectKeys
  maxBodyBytes: number
}

interface IncomingRequest {
  id: string
  request: IncomingMessage
  response: ServerResponse
}

/** Handles a proxied request: authenticate, admit, read, forward, record, respond. */
export function createRequestHandler(options: RequestHandlerOptions): (incoming: IncomingRequest) => Promise<void> {
  const { authenticate, hops, pools, recorder, health, cache, objects, logFailure, maxBodyBytes, observer, isCutting } =
    options

  async function handle({ id, request, response }: IncomingRequest): Promise<void> {
    const timing = new RequestTiming(performance.now())
    if (hops.hasPassed(request.headers)) return rejectUnauthenticated(response, 'loop_detected', id)
    const account = await authenticate(request)
    if (typeof account === 'string') return rejectUnauthenticated(response, account, id)
    const target = parseTarget(request.url ?? '')
    if (!target) return sendError(response, 'invalid_path', id)
    const clientAddress = options.clientAddressOf(request)
    const { tags, warning } = tagsOf(request, account)
    warnOfTags(response, warning)
    const unread = { tags, logsBodies: logsBodies(account), body: undefined, metadata: noMetadata }
    const received: ReceivedRequest = { id, request, clientAddress, account, target, timing, ...unread }
    received.trace = options.startTrace?.(received)
    const admission = await admit(received, options)
    if ('code' in admission) return reject(received, response, admission)
    try {
      await handleAdmitted(received, response, admission)
    } catch (error) {
      admission.cancel()
      // A rejection can't be recorded once the response has begun, or while the spool is full.
      if (response.destroyed || response.headersSent || error instanceof SpoolFullError) throw error
      logFailure(error, id)
      await reject(received, response, rejectionOf(error))
    } finally {
      admission.share.releaseAfter(response)
    }
  }

  async function handleAdmitted(received: ReceivedRequest, response: ServerResponse, admission: Admission) {
    const { account, request, target } = received
    received.body = await takeBody(request, response, { maxBytes: maxBodyBytes, share: admission.share })
    received.metadata = await readMetadata(received.body, request.headers, target)
    if (account.models !== null && !(await isRequestAllowed(received, objects))) {
      admission.cancel()
      return reject(received, response, { code: 'model_not_allowed', headers: admission.headers })
    }
    const rejection = admission.needsReservation ? await admission.reserve(received) : undefined
    if (rejection) {
      admission.cancel()
      return reject(received, response, rejection)
    }
    const terms = account.cacheSeconds > 0 ? await cacheTerms(received) : undefined
    if (!terms) return void (await forwardAdmitted(received, response, admission))
    const lookup = await cache.acquire(terms)
    if (lookup.response) {
      admission.cancel('quota')
      return serveCached(received, response, lookup.response, admission)
    }
    let result: LeaderResult
    try {
      result = await forwardAdmitted(received, response, admission, 'miss')
    } finally {
      lookup.complete(result)
    }
  }

  /** @returns the response, if it was kept completely and may be cached */
  async function forwardAdmitted(
    received: ReceivedRequest,
    response: ServerResponse,
    admission: Admission,
    cacheStatus: 'miss' | null = null,
  ): Promise<LeaderResult> {
    const { account, request, target, timing, body, trace } = received
    const dispatcher = pools.get(account.accountId, account.origin)
    const keptBytes = Math.max(cacheStatus ? cachedBytes : 0, received.logsBodies ? keptBodyBytes : 0)
    const sink = new ClientSink(response, admission.share, keptBytes)
    const headers = cacheStatus ? [...admission.headers, 'x-sallyport-cache', cacheStatus] : admission.headers
    const log = new RequestLogBuilder(received)
    const maker = objects.makerOf(received)
    const makerId = maker && (await maker)
    let begun: OpenRequest | undefined
    let outcome: ForwardOutcome<ResponseHead | undefined> = { kind: 'client_aborted' }
    // A client that has disconnected by now emits no further `close`.
    if (!response.destroyed) {
      const isRepeatable = body === undefined || 'bytes' in body
      const isIdempotent = mayBeRepeated(request)
      const { endpoint } = target
      const plan = new RetryPlan({ account, endpoint, isRepeatable, isIdempotent, health, makerId })
      begun = log.begin(recorder, plan.first.id, cacheStatus)
      const hop = hops.next(request.headers)
      const proxied = {
        received,
        response,
        sink,
        plan,
        log,
        recorder,
        begun,
        dispatcher,
        hop,
        headers,
        objects,
        reservation: admission.reservation,
        earlier: undefined,
      }
      outcome = await forward({ plan, log, timing, trace, client: response }, (key, traceHeaders) =>
        new UpstreamAttempt(proxied, key, traceHeaders).run(),
      )
    }
    if (outcome.kind === 'upstream_failed') log.failed(outcome.code, response.headersSent)
    const isInterrupted = outcome.kind === 'client_aborted' && isCutting()
    const learned = options.limiter.expectations.of(account.accountId, log.event.model)
    const event = log.complete(isInterrupted ? 'interrupted' : outcome.kind, sink, learned)
    if (log.jobId !== undefined) log.countJob(await objects.claimJobUsage(account.accountId, log.jobId))
    // Before the response ends, so that the request is logged even if the process is killed then.
    await recorder.end(event, begun)
    if (outcome.kind === 'completed') {
      sink.flush()
      // A provider may respond without reading all of an upload.
      drainBriefly(request)
    } else if (outcome.kind === 'upstream_failed') respondToFailure(received, response, outcome, headers)
    admission.complete(event, log)
    observer.finished(event)
    trace?.end(event)
    if (outcome.kind === 'client_aborted') return 'abandoned'
    const head = outcome.kind === 'completed' ? outcome.result : undefined
    if (!cacheStatus || !head || !sink.keptAll || !isStorable(head)) return undefined
    const kept = sink.kept()
    return reportsError(kept) ? undefined : { ...head, body: kept, storedAtMs: Date.now() }
  }

  async function serveCached(
    received: ReceivedRequest,
    response: ServerResponse,
    cached: StoredResponse,
    { share, headers: limits }: Admission,
  ) {
    const event = createCacheHitLog(received, cached, response.destroyed)
    await options.foldedLogs.record('cache-hit', event)
    observer.finished(event)
    received.trace?.end(event)
    const { status, headers, body } = cached
    const provided = withoutHeader(withoutHeader(headers, 'content-length'), 'age')
    const own = ['age', String(ageOf(cached)), 'content-length', String(body.length), 'x-request-id', received.id]
    own.push('via', viaProvider, 'x-sallyport-cache', 'hit')
    response.writeHead(status, [...provided, ...own, ...inertHeaders, ...limits, ...varyOf(response)])
    response.end(body)
    // Its client may not read, and send the request again.
    if (response.writableLength > 0 && share.takeBytes(response.writableLength)) response.destroy()
  }

  function rejectUnauthenticated(response: ServerResponse, code: ProxyErrorCode, id: string): void {
    observer.unauthenticated(code)
    sendError(response, code, id)
  }

  async function reject(received: ReceivedRequest, response: ServerResponse, { code, headers, detail }: Rejection) {
    await recordRejection(received, code, options)
    sendError(response, code, received.id, headers, { detail })
  }

  return async (incoming) => {
    try {
      await handle(incoming)
    } catch (error) {
      const { id, response } = incoming
      if (response.destroyed || response.headersSent) return void response.destroy()
      logFailure(error, id)
      sendError(response, rejectionOf(error).code, id)
    }
  }
}

/** A truncated response must not end cleanly: in HTTP/1.0, only a reset distinguishes it from a complete one. */
function respondToFailure(
  { id, request, account }: ReceivedRequest,
  response: ServerResponse,
  { code, wasSent }: Extract<ForwardOutcome<ResponseHead | undefined>, { kind: 'upstream_failed' }>,
  headers: readonly string[],
): void {
  if (!response.headersSent) {
    // An SDK must not repeat it either: the provider would be paid twice.
    const retry = wasSent && !mayBeRepeated(request) ? ['x-should-retry', 'false'] : []
    return sendError(response, code, id, [...headers, ...retry], { timeoutMs: account.timeout })
  }
  if (request.httpVersion === '1.0') response.socket?.resetAndDestroy()
  response.destroy()
}
