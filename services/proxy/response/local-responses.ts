import type { ServerResponse } from 'node:http'
import { inertHeaders } from '#core/http/inert-headers.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import type { Rejection } from '../admission/admit.ts'
import type { StoredResponse } from './response.ts'
import { firstEvent, isReadable, keptBodyBytes, type ReceivedRequest } from '../log/request-log-builder.ts'
import type { FoldedKind, FoldedLogs } from '../log/folded-logs.ts'
import { withoutHeader } from '../request/headers.ts'
import type { RequestObserver } from '../telemetry/metrics.ts'
import { type ErrorCode, errorResponses, sendError } from './error-responses.ts'
import type { RequestTiming } from '../log/request-timing.ts'

export interface LocalResponsesOptions {
  foldedLogs: FoldedLogs
  observer: Pick<RequestObserver, 'finished'>
}

export interface LocalRequest {
  received: ReceivedRequest
  response: ServerResponse
  timing: RequestTiming
}

/** What the gateway responds without asking the provider. A response ends once its log is noted. */
export class LocalResponses {
  readonly #foldedLogs: FoldedLogs
  readonly #observer: LocalResponsesOptions['observer']

  constructor({ foldedLogs, observer }: LocalResponsesOptions) {
    this.#foldedLogs = foldedLogs
    this.#observer = observer
  }

  async reject({ received, response, timing }: LocalRequest, { code, headers }: Rejection): Promise<void> {
    await this.recordRejection(received, timing, code)
    sendError(response, code, received.id, headers)
  }

  /** The log of a rejected request. @returns once it is noted */
  recordRejection(received: ReceivedRequest, timing: RequestTiming, code: ErrorCode): Promise<void> {
    const { status, message } = errorResponses[code]
    return this.#record(received, timing, kindOf(code), { status, errorMessage: message })
  }

  /** Nothing is asked of the provider, and nothing is paid. */
  async serveCached({ received, response, timing }: LocalRequest, cached: StoredResponse): Promise<void> {
    const { status, headers, body } = cached
    const type = headers[headers.indexOf('content-type') + 1]
    await this.#record(received, timing, 'cache-hit', {
      status: response.destroyed ? 0 : status,
      outcome: response.destroyed ? 'client_aborted' : 'completed',
      cacheStatus: 'hit',
      costNanoUsd: 0,
      costSource: 'exact',
      timeToFirstByteMs: timing.elapsedMs(),
      responseBytes: body.length,
      responseBody: received.account.logBodies && isReadable(type) ? body.toString('utf8', 0, keptBodyBytes) : null,
    })
    const own = [
      'content-length',
      String(body.length),
      'x-request-id',
      received.id,
      ...inertHeaders,
      'x-sallyport-cache',
      'hit',
    ]
    response.writeHead(status, [...withoutHeader(headers, 'content-length'), ...own])
    response.end(body)
  }

  async #record(
    received: ReceivedRequest,
    timing: RequestTiming,
    kind: FoldedKind,
    changes: Partial<RequestEvent>,
  ): Promise<void> {
    const event: RequestEvent = {
      ...firstEvent(received),
      outcome: 'completed',
      responseTimeMs: timing.elapsedMs(),
      overheadUs: timing.overheadUs(),
      ...changes,
    }
    await this.#foldedLogs.record(kind, event)
    this.#observer.finished(event)
  }
}

/** What comes of having too much under way at once may come by the thousand. */
const kindOf = (code: ErrorCode): FoldedKind =>
  code === 'too_much_at_once' || code === 'overloaded' ? 'at-limit' : 'rejection'
