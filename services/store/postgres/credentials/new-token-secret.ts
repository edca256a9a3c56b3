import { maskSecret } from '#schemas/secrets.ts'
import { hashToken, mintToken } from '#shared/secure-token.ts'
import type { Vault } from '#shared/vault.ts'
import { secureTokenContext } from './secure-tokens.ts'

/** A new secret of a secure token: the text for its owner, and the parts that are stored. */
export function newTokenSecret(vault: Vault, accountId: string, id: string) {
  const token = mintToken()
  const sealedToken = vault.seal(token, secureTokenContext(accountId, id))
  return { token, secret: { tokenHash: hashToken(token), sealedToken, maskedToken: maskSecret(token) } }
}
