import type { SecureToken } from '#schemas/secure-tokens.ts'

/** Source: specification §4, "Token status". */
export function tokenStatus(token: Pick<SecureToken, 'isActive' | 'expiresAt'>, now = new Date()) {
  if (token.expiresAt !== null && new Date(token.expiresAt) < now) return 'Expired'
  return token.isActive ? 'Active' : 'Inactive'
}
