import { errors } from 'undici'
import { TooMuchAtOnceError } from '#core/limits/shared-limit.ts'
import { ForbiddenAddressError } from '#shared/address-guard.ts'
import { GatewayError } from '../request/gateway-error.ts'
import type { ErrorCode } from '../response/error-responses.ts'

/** The code for an attempt that got no response, or only part of one. */
export function upstreamErrorCode(error: Error): ErrorCode {
  if (error instanceof GatewayError) return error.code
  if (error instanceof TooMuchAtOnceError) return error.scope === 'account' ? 'too_much_at_once' : 'overloaded'
  if (error instanceof ForbiddenAddressError) return 'upstream_forbidden'
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
