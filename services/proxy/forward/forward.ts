import type { EventEmitter } from 'node:events'
import { errors } from 'undici'
import { LimitExceededError } from '#core/limits/shared-limit.ts'
import { ForbiddenAddressError } from '#shared/address-guard.ts'
import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import type { ProviderKey } from '../auth/account.ts'
import type { NextAttempt, RetryPlan } from '../keys/retry-plan.ts'
import type { RequestLogBuilder } from '../log/request-log-builder.ts'
import type { RequestTiming } from '../log/request-timing.ts'
import type { RequestTrace } from '../log/request-trace.ts'
import type { Delivery } from '../request/delivery.ts'
import { GatewayError } from '../request/gateway-error.ts'
import { SpoolFullError } from '../spool/spool-full-error.ts'

export type AttemptOutcome<Completed> =
  | { kind: 'completed'; status: number; result: Completed }
  /** The client does not get this response. @param next the following attempt */
  | { kind: 'rejected'; status: number; next: NextAttempt | undefined }
  /** No response arrived. */
  | { kind: 'failed'; error: Error; delivery: Delivery }
  /** The response broke off. */
  | { kind: 'broken'; error: Error }
  | { kind: 'client_aborted'; delivery: Delivery }

export type ForwardOutcome<Completed> =
  | { kind: 'completed'; result: Completed }
  /** @param wasSent whether the provider may have received the request */
  | { kind: 'upstream_failed'; code: ProxyErrorCode; wasSent: boolean }
  | { kind: 'client_aborted' }

interface Forwarding {
  plan: RetryPlan
  log: RequestLogBuilder
  timing: RequestTiming
  trace: RequestTrace | undefined
  /** The client's connection or response: it is destroyed when the client disconnects. */
  client: EventEmitter & { readonly destroyed: boolean }
}

/**
 * Sends a request to the provider, in as many attempts as it takes.
 * @param send makes one attempt, over HTTP or as a WebSocket, with headers that propagate the trace
 * @throws SpoolFullError when the request can't be logged, and so was not sent
 */
export async function forward<Completed>(
  { plan, log, timing, trace, client }: Forwarding,
  send: (key: ProviderKey, traceHeaders: readonly string[] | undefined) => Promise<AttemptOutcome<Completed>>,
): Promise<ForwardOutcome<Completed>> {
  timing.dispatched()
  let key = plan.first
  const endAttempt = (startedAt: number, result: string, mayHaveCost: boolean) => {
    log.attemptEnded(key.id, startedAt, result, mayHaveCost)
    trace?.endAttempt(result)
  }
  while (!client.destroyed) {
    plan.use(key.id)
    log.attemptStarted(key.id)
    const startedAt = performance.now()
    let outcome: AttemptOutcome<Completed>
    try {
      outcome = await send(key, trace?.startAttempt(key.id))
    } finally {
      plan.done(key.id)
    }
    let next: NextAttempt | undefined
    let code: ProxyErrorCode = 'upstream_invalid'
    let wasSent = true
    if (outcome.kind === 'completed' || outcome.kind === 'rejected') {
      endAttempt(startedAt, String(outcome.status), outcome.status < 400)
      if (outcome.kind === 'completed') return { kind: 'completed', result: outcome.result }
      next = outcome.next
    } else if (outcome.kind === 'client_aborted') {
      plan.release(key.id)
      endAttempt(startedAt, 'client_aborted', outcome.delivery.wasSent)
      break
    } else {
      if (outcome.error instanceof SpoolFullError) {
        plan.release(key.id)
        throw outcome.error
      }
      wasSent = outcome.kind === 'broken' || outcome.delivery.wasSent
      code = upstreamErrorCode(outcome.error, wasSent, outcome.kind === 'broken')
      endAttempt(startedAt, code, wasSent)
      if (outcome.kind === 'failed') next = plan.afterFailure(key, code, outcome.delivery)
    }
    if (!next) {
      timing.providerDone()
      return { kind: 'upstream_failed', code, wasSent }
    }
    key = next.key
    await pause(next.afterMs, client)
  }
  timing.providerDone()
  return { kind: 'client_aborted' }
}

async function pause(ms: number, client: EventEmitter): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  client.once('close', resolve)
  await promise
  clearTimeout(timer)
  client.off('close', resolve)
}

/** Error codes for invalid data rather than a failed connection: undici's, or none. */
const invalid = /^(?:$|HPE_(?!INVALID_EOF)|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_EXCEEDED)/
/** undici's code for a response that ends early, and for an invalid head that names a length. */
const otherLength = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
/** Messages of errors that undici reports with the code of a broken connection. */
const unexpected = /^bad (?:response|upgrade)$/
/** Error codes of the decoders for gzip and deflate, br, zstd. */
const undecodable = /^(?:Z_DATA|ERR_BROTLI|ERR_PADDING|ERR__ERROR|ZSTD)/

/** The code for an attempt without a complete response. */
function upstreamErrorCode(error: Error, wasSent: boolean, hasHead: boolean): ProxyErrorCode {
  if (error instanceof GatewayError) return error.code
  if (error instanceof LimitExceededError) return error.scope === 'account' ? 'too_much_at_once' : 'overloaded'
  if (error instanceof ForbiddenAddressError) return 'upstream_forbidden'
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) return 'upstream_timeout'
  if (!wasSent) return 'upstream_unreachable'
  const code = String((error as NodeJS.ErrnoException).code ?? '')
  if (invalid.test(code) || unexpected.test(error.message)) return 'upstream_invalid'
  if (code === otherLength && !hasHead) return 'upstream_invalid'
  return undecodable.test(code) ? 'upstream_encoding' : 'upstream_disconnected'
}
