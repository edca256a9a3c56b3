import { readdir, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { openPostgres } from '#core/stores/postgres.ts'
import { createTestClickHouse, createTestDatabase } from '#tools/test/stores.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { migrationFolders } from './migration-files.ts'
import { migrate, migratePostgres } from './migrations.ts'
import { selectRows } from './clickhouse/clickhouse-rows.ts'
import { applyRetention, defaultRetention } from './clickhouse/retention.ts'
import { requireClickHouseSchema, requirePostgresSchema } from './schema-check.ts'

const logger = pino({ level: 'silent' })
const database = await createTestDatabase()
const clickhouse = await createTestClickHouse()
afterAll(async () => {
  await clickhouse.drop()
  await database.drop()
})

test('concurrent runs on an empty database apply each file once', async () => {
  await database.sql.unsafe('drop schema public cascade; create schema public')
  const runners = Array.from({ length: 4 }, () => openPostgres({ postgresUrl: database.url }, 'test'))
  await Promise.all(runners.map((sql) => migrate(sql, clickhouse.clickhouse, defaultRetention, logger)))
  await Promise.all(runners.map((sql) => sql.end()))
  const applied = await database.sql<{ name: string }[]>`select name from schema_migrations order by name`
  const files = (await readdir(new URL('../../schemas/postgres/', import.meta.url))).toSorted()
  expect(applied.map(({ name }) => name)).toEqual(files)
})

test('a file of which it could not be noted that it is applied is not applied', async () => {
  const folder = pathToFileURL(`${temporaryFolder()}/`)
  const noted = "insert into schema_migrations (name) values ('999.sql')"
  await writeFile(new URL('999.sql', folder), `create table half_applied (); ${noted}`)
  const folders = { ...migrationFolders, postgres: folder }
  await expect(migratePostgres(database.sql, logger, folders)).rejects.toThrow('999.sql failed: duplicate key')
  expect(await database.sql`select to_regclass('half_applied') as found`).toEqual([{ found: null }])
})

test('a migration that waits for a backup does not hold up the queries of the services', async () => {
  const folder = pathToFileURL(`${temporaryFolder()}/`)
  await writeFile(new URL('999.sql', folder), 'alter table accounts add column added text')
  const backup = await database.sql.reserve()
  await backup`begin`
  await backup`select from accounts`
  const migrating = migratePostgres(database.sql, logger, { ...migrationFolders, postgres: folder })
  const waiting = () => database.sql`
    select from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and relation = 'accounts'::regclass and not granted`
  await expect.poll(waiting).toHaveLength(1)
  // Blocked until the backup ends if the migration keeps its place in the queue for the lock.
  await database.sql`select from accounts`
  await backup`commit`
  backup.release()
  await migrating
  await database.sql`select added from accounts`
})

test('logs, bodies and rollups are kept for as many days as the operator has set for each', async () => {
  const days = { logRetentionDays: 11, bodyRetentionDays: 12, rollupRetentionDays: 13 }
  await applyRetention(clickhouse.clickhouse, { ...defaultRetention, ...days }, logger)
  const rows = await selectRows<{ name: string; ttl: string }>(
    clickhouse.clickhouse,
    `SELECT name, extract(engine_full, 'TTL (.*) SETTINGS') AS ttl FROM system.tables
      WHERE database = currentDatabase() AND ttl != '' ORDER BY name`,
  )
  expect(rows.map(({ name, ttl }) => `${name}: ${ttl}`)).toEqual([
    'latency_day: bucket + toIntervalDay(13)',
    'latency_minute: bucket + toIntervalDay(8)',
    'latency_quarter_hour: bucket + toIntervalDay(13)',
    'request_details: toDateTime(created_at) + toIntervalDay(12)',
    'request_logs: toDateTime(created_at) + toIntervalDay(11)',
    'usage_minute: bucket + toIntervalDay(8)',
    'usage_quarter_hour: bucket + toIntervalDay(13)',
    'usage_series: bucket + toIntervalDay(13)',
  ])
})

test('deleting an account deletes everything that references it', async () => {
  const kept = await database.sql`
    select conrelid::regclass::text as table from pg_constraint
    where contype = 'f' and confrelid in ('accounts'::regclass, 'two_factor'::regclass) and confdeltype not in ('c', 'n')`
  expect(kept).toEqual([])
})

test('the newest schema is accepted, one that lacks a migration or all of them is not', async () => {
  await requirePostgresSchema(database.sql)
  await requireClickHouseSchema(clickhouse.clickhouse)

  const oldest = 'DELETE FROM schema_migrations WHERE name = (SELECT min(name) FROM schema_migrations)'
  await clickhouse.clickhouse.command({ query: oldest })
  await expect(requireClickHouseSchema(clickhouse.clickhouse)).rejects.toThrow(
    'ClickHouse is too old: run the migrations, from 001',
  )
  await clickhouse.clickhouse.command({ query: 'DROP TABLE schema_migrations' })
  await expect(requireClickHouseSchema(clickhouse.clickhouse)).rejects.toThrow('ClickHouse is too old')
  await database.sql`drop table schema_migrations`
  await expect(requirePostgresSchema(database.sql)).rejects.toThrow('Postgres is too old: run the migrations, from 001')
})
