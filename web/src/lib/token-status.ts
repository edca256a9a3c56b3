import type { SecureToken } from '#schemas/secure-tokens.ts'
import { gatewayNow } from './browser/gateway-clock.ts'

/** Source: product.md 4.3. */
export function tokenStatus(token: Pick<SecureToken, 'isActive' | 'expiresAt'>, now = gatewayNow()) {
  if (token.expiresAt !== null && Date.parse(token.expiresAt) < now) return 'Expired'
  return token.isActive ? 'Active' : 'Inactive'
}
