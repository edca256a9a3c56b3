import { afterAll, expect, test } from 'vitest'
import { createTestClickHouse, createTestDatabase } from '#tools/test/stores.ts'
import { requireClickHouseSchema, requirePostgresSchema } from './schema-check.ts'

const database = await createTestDatabase()
const { clickhouse, drop } = await createTestClickHouse()
afterAll(async () => {
  await drop()
  await database.drop()
})

test('the newest schema is accepted, one that lacks a migration or all of them is not', async () => {
  await requirePostgresSchema(database.sql)
  await requireClickHouseSchema(clickhouse)

  const oldest = 'DELETE FROM schema_migrations WHERE name = (SELECT min(name) FROM schema_migrations)'
  await clickhouse.command({ query: oldest })
  await expect(requireClickHouseSchema(clickhouse)).rejects.toThrow(
    'ClickHouse is too old: run the migrations, from 001',
  )
  await clickhouse.command({ query: 'DROP TABLE schema_migrations' })
  await expect(requireClickHouseSchema(clickhouse)).rejects.toThrow('ClickHouse is too old')
  await database.sql`drop table schema_migrations`
  await expect(requirePostgresSchema(database.sql)).rejects.toThrow('Postgres is too old: run the migrations, from 001')
})
