import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openPostgres } from '#core/stores/postgres.ts'
import { hasPgBouncer, startPgBouncer } from '#tools/stack/pgbouncer.ts'
import { createTestClickHouse, createTestDatabase } from '#tools/test/stores.ts'
import { defaultRetention } from './clickhouse/retention.ts'
import { migrate } from './migrations.ts'
import { requirePostgresSchema } from './schema-check.ts'
import { useAccount } from './use-account.fixture.ts'

test.skipIf(!hasPgBouncer)(
  'PgBouncer by transaction: migrations wait for each other, accounts and tokens work',
  async () => {
    const database = await createTestDatabase()
    await database.sql.unsafe('drop schema public cascade; create schema public')
    const { clickhouse, drop } = await createTestClickHouse()
    const pooler = await startPgBouncer(database.url)
    const sql = openPostgres({ postgresUrl: pooler.url }, 'test')
    try {
      const logger = pino({ level: 'silent' })
      await migrate(sql, clickhouse, defaultRetention, logger)
      // Other queries use the same connections meanwhile.
      const again = Promise.all([1, 2, 3].map(() => migrate(sql, clickhouse, defaultRetention, logger)))
      for (let at = 0; at < 200; at += 1) await Promise.all([sql`select pg_sleep(0.001)`, sql`select pg_sleep(0.002)`])
      await again
      await requirePostgresSchema(sql)
      const locks =
        await database.sql`select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = ${database.name})`
      expect(locks).toEqual([])

      const names = Array.from({ length: 20 }, (_, at) => `ada-${at}`)
      const used = await Promise.all(names.map((name) => useAccount(sql, name)))
      expect(used).toEqual(names.map(() => ['secure-token-created', 'account-created']))
    } finally {
      await sql.end()
      await pooler.stop()
      await drop()
      await database.drop()
    }
  },
)
