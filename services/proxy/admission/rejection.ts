import { type LimitScope, LimitExceededError } from '#core/limits/shared-limit.ts'
import type { Logger } from '#core/logger.ts'
import { occasionalWarning } from '#core/occasional-warning.ts'
import { ForbiddenAddressError } from '#shared/address-guard.ts'
import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import { createRejectionLog, type ReceivedRequest } from '../log/request-log-builder.ts'
import { GatewayError } from '../request/gateway-error.ts'
import { SpoolFullError } from '../spool/spool-full-error.ts'
import type { RequestServices } from './services.ts'

export interface Rejection {
  code: ProxyErrorCode
  /** Response headers: name, value, name, value … */
  headers?: readonly string[]
  /** Appended to the message, such as the limit that was reached. */
  detail?: string | undefined
}

/** The part of an error that the client sees; the operator's log has the rest. */
export function rejectionOf(error: unknown): Rejection {
  if (error instanceof LimitExceededError) return rejectionAtLimit(error.scope)
  if (error instanceof GatewayError) return { code: error.code }
  if (error instanceof ForbiddenAddressError) return { code: 'upstream_forbidden' }
  return { code: error instanceof SpoolFullError ? 'unavailable' : 'internal_error' }
}

export const rejectionAtLimit = (scope: LimitScope): Rejection =>
  scope === 'account' ? { code: 'too_much_at_once', headers: ['retry-after', '1'] } : { code: 'overloaded' }

/** Logs what the operator has to know; other failures are those of a client or a provider. */
export function createFailureLog(logger: Logger): (error: unknown, requestId: string) => void {
  const warn = occasionalWarning(logger, 'a request was rejected')
  return (error, requestId) => {
    const { code } = rejectionOf(error)
    if (code === 'internal_error') logger.error({ err: error, requestId }, 'a request failed')
    if (code === 'unavailable') warn({ err: error, requestId })
  }
}

/** Call it before sending the response: a client that has its response can rely on the log. */
export async function recordRejection(
  received: ReceivedRequest,
  code: ProxyErrorCode,
  { foldedLogs, observer }: Pick<RequestServices, 'foldedLogs' | 'observer'>,
): Promise<void> {
  const event = createRejectionLog(received, code)
  // An overload can reject thousands of requests.
  const isAtLimit = code === 'too_much_at_once' || code === 'overloaded'
  await foldedLogs.record(isAtLimit ? 'at-limit' : 'rejection', event)
  observer.finished(event)
  received.trace?.end(event)
}
