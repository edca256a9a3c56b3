import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { openPostgres } from '#core/resources.ts'
import { createPlanLimits } from '#shared/plan-limits.ts'
import { hashToken } from '#shared/secure-token.ts'
import { createVault } from '#shared/vault.ts'
import { hasDebianPostgres, startDebianPostgres } from '#tools/stack/debian-postgres.ts'
import { migratePostgres } from './migrations.ts'
import { invalidateNothing } from './postgres/account.fixture.ts'
import { createAccountStore } from './postgres/accounts.ts'
import { createAuditStore } from './postgres/audit.ts'
import { createCredentialStore } from './postgres/credentials/credentials.ts'
import { newTokenSecret } from './postgres/credentials/new-token-secret.ts'
import { createSecureTokenStore, noRestrictions } from './postgres/credentials/secure-tokens.ts'
import { requirePostgresSchema } from './schema-check.ts'
import { oldestVersions, requirePostgresVersion } from './versions.ts'

const by = { clientAddress: null, userAgent: null }
const person = { username: 'ada', email: 'ada@example.com', firstName: null, lastName: null, passwordHash: 'x' }

test.skipIf(!hasDebianPostgres)(
  `Postgres ${oldestVersions.Postgres}: all migrations, an account, a token`,
  async () => {
    const server = await startDebianPostgres()
    const sql = openPostgres({ postgresUrl: server.url }, 'test')
    try {
      await requirePostgresVersion(sql)
      await migratePostgres(sql, pino({ level: 'silent' }))
      await requirePostgresSchema(sql)

      const account = { ...person, baseUrl: 'https://api.openai.com' }
      const session = { ...by, idHash: randomBytes(32), device: 'Firefox', network: '::', deviceHash: randomBytes(32) }
      const { id: accountId } = await createAccountStore(sql, invalidateNothing).register(account, session)
      const vault = createVault(new Map([[1, randomBytes(32)]]))
      const id = uuidv7()
      const { token, secret } = newTokenSecret(vault, accountId, id)
      const tokens = createSecureTokenStore(sql, invalidateNothing, createPlanLimits({}))
      await tokens.create(accountId, { ...noRestrictions, ...secret, id, name: 'Backend', expiresAt: null }, by)
      expect(await createCredentialStore(sql).findByTokenHash(hashToken(token))).toBeDefined()
      const entries = await createAuditStore(sql).list(accountId, { limit: 9 })
      expect(entries.map(({ action }) => action)).toEqual(['secure-token-created', 'account-created'])
    } finally {
      await sql.end()
      await server.stop()
    }
  },
)
