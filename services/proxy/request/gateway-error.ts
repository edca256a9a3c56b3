import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'

/** A failure that the client gets as an error response of the gateway. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: ProxyErrorCode

  constructor(code: ProxyErrorCode, options?: ErrorOptions) {
    super(code, options)
    this.code = code
  }
}
