import type { SecureToken } from '#schemas/secure-tokens.ts'

/** Source: product.md 4.3. */
export function tokenStatus(token: Pick<SecureToken, 'isActive' | 'expiresAt'>, now = new Date()) {
  if (token.expiresAt !== null && new Date(token.expiresAt) < now) return 'Expired'
  return token.isActive ? 'Active' : 'Inactive'
}
