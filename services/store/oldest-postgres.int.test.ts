import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openPostgres } from '#core/stores/postgres.ts'
import { hasDebianPostgres, startDebianPostgres } from '#tools/stack/debian-postgres.ts'
import { migratePostgres } from './migrations.ts'
import { useAccount } from './use-account.fixture.ts'
import { requirePostgresSchema } from './schema-check.ts'
import { oldestVersions, requirePostgresVersion } from './versions.ts'

test.skipIf(!hasDebianPostgres)(
  `Postgres ${oldestVersions.Postgres}: all migrations, an account, a token`,
  async () => {
    const server = await startDebianPostgres()
    const sql = openPostgres({ postgresUrl: server.url }, 'test')
    try {
      await requirePostgresVersion(sql)
      await migratePostgres(sql, pino({ level: 'silent' }))
      await requirePostgresSchema(sql)
      expect(await useAccount(sql, 'ada')).toEqual(['secure-token-created', 'account-created'])
    } finally {
      await sql.end()
      await server.stop()
    }
  },
)
