import { errors } from 'undici'
import { ForbiddenAddressError } from '#shared/address-guard.ts'
import type { ErrorCode } from '../response/error-responses.ts'
import { TooMuchAtOnceError } from '#core/limits/shared-limit.ts'
import { BodyTimeoutError, BodyTooLargeError } from '../request/body.ts'

/** The provider compressed a response, although it was asked not to, by a method that the gateway can't undo. */
export class UnreadableEncodingError extends Error {
  override readonly name = 'UnreadableEncodingError'
}

/** The error code for a provider that could not be reached or did not respond. */
export function upstreamErrorCode(error: Error): ErrorCode {
  // Found out while the body was on its way: its length was not said.
  if (error instanceof BodyTooLargeError) return 'body_too_large'
  if (error instanceof BodyTimeoutError) return 'body_timeout'
  if (error instanceof TooMuchAtOnceError) return error.scope === 'account' ? 'too_much_at_once' : 'overloaded'
  if (error instanceof ForbiddenAddressError) return 'upstream_forbidden'
  if (error instanceof UnreadableEncodingError) return 'upstream_encoding'
  if (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError
  ) {
    return 'upstream_timeout'
  }
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) return 'upstream_invalid'
  return 'upstream_unreachable'
}
