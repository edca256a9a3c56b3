import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'

/** A failure that the client receives as a gateway error response. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: ProxyErrorCode

  constructor(code: ProxyErrorCode, options?: ErrorOptions) {
    super(code, options)
    this.code = code
  }
}
