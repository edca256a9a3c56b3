import { ForbiddenAddressError } from '#shared/address-guard.ts'
import { type LimitScope, TooMuchAtOnceError } from '#core/limits/shared-limit.ts'
import { CredentialsUnavailableError } from '../auth/credential-cache.ts'
import type { FoldedKind, FoldedLogs } from '../log/folded-logs.ts'
import { createRejectionLog, type ReceivedRequest } from '../log/request-log-builder.ts'
import { BodyTimeoutError, BodyTooLargeError } from '../request/body.ts'
import { AmbiguousModelError } from '../request/metadata.ts'
import type { ErrorCode } from '../response/error-responses.ts'
import { SpoolFullError } from '../spool/spool-full-error.ts'
import type { RequestObserver } from '../telemetry/metrics.ts'

/** Why a request goes no further. Headers are name, value, name, value … */
export interface Rejection {
  code: ErrorCode
  headers: readonly string[]
}

/** What the client learns of an error; the logger has the rest. */
export function rejectionOf(error: unknown): Rejection {
  if (error instanceof TooMuchAtOnceError) return rejectionAtLimit(error.scope)
  return { code: codeOf(error), headers: [] }
}

/** An account or a process has too much under way; that is soon over. */
export const rejectionAtLimit = (scope: LimitScope): Rejection => ({
  code: scope === 'account' ? 'too_much_at_once' : 'overloaded',
  headers: ['retry-after', '1'],
})

function codeOf(error: unknown): ErrorCode {
  if (error instanceof ForbiddenAddressError) return 'upstream_forbidden'
  if (error instanceof AmbiguousModelError) return 'ambiguous_model'
  if (error instanceof BodyTooLargeError) return 'body_too_large'
  if (error instanceof BodyTimeoutError) return 'body_timeout'
  const isMissing = error instanceof SpoolFullError || error instanceof CredentialsUnavailableError
  return isMissing ? 'unavailable' : 'internal_error'
}

/** Call it before the client gets the response: a response ends once its log is noted. */
export async function recordRejection(
  received: ReceivedRequest,
  code: ErrorCode,
  { foldedLogs, observer }: { foldedLogs: FoldedLogs; observer: Pick<RequestObserver, 'finished'> },
): Promise<void> {
  const event = createRejectionLog(received, code)
  await foldedLogs.record(kindOf(code), event)
  observer.finished(event)
}

/** What comes of having too much under way at once may come by the thousand. */
const kindOf = (code: ErrorCode): FoldedKind =>
  code === 'too_much_at_once' || code === 'overloaded' ? 'at-limit' : 'rejection'
