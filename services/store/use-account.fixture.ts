import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '#core/stores/postgres.ts'
import { createPlanLimits } from '#shared/plan-limits.ts'
import { hashToken } from '#shared/secure-token.ts'
import { createVault } from '#shared/vault.ts'
import { invalidateNothing } from './postgres/account.fixture.ts'
import { createAccountStore } from './postgres/accounts.ts'
import { createAuditStore } from './postgres/audit.ts'
import { createCredentialStore } from './postgres/credentials/credentials.ts'
import { newTokenSecret } from './postgres/credentials/new-token-secret.ts'
import { createSecureTokenStore, noRestrictions } from './postgres/credentials/secure-tokens.ts'

const by = { clientAddress: null, userAgent: null }
const person = { firstName: null, lastName: null, passwordHash: 'x', baseUrl: 'https://api.openai.com' }

/**
 * Registers an account as the api does, creates a token, and looks it up as a proxy does.
 * @returns the actions of its audit log, newest first
 */
export async function useAccount(sql: Sql, username: string): Promise<string[]> {
  const account = { ...person, username, email: `${username}@example.com` }
  const session = { ...by, idHash: randomBytes(32), device: 'Firefox', network: '::', deviceHash: randomBytes(32) }
  const { id: accountId } = await createAccountStore(sql, invalidateNothing).register(account, session)
  const vault = createVault(new Map([[1, randomBytes(32)]]))
  const id = uuidv7()
  const { token, secret } = newTokenSecret(vault, accountId, id)
  const tokens = createSecureTokenStore(sql, invalidateNothing, createPlanLimits({}))
  await tokens.create(accountId, { ...noRestrictions, ...secret, id, name: 'Backend', expiresAt: null }, by)
  const found = await createCredentialStore(sql).findByTokenHash(hashToken(token))
  if (!found) throw new Error('the token was not found')
  const entries = await createAuditStore(sql).list(accountId, { limit: 9 })
  return entries.map(({ action }) => action)
}
