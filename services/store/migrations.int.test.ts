import { readdir } from 'node:fs/promises'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { openPostgres } from '#core/stores/postgres.ts'
import { createTestClickHouse, createTestDatabase } from '#tools/test/stores.ts'
import { migrate } from './migrations.ts'
import { defaultRetention } from './clickhouse/retention.ts'

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

test('deleting an account deletes everything that references it', async () => {
  const kept = await database.sql`
    select conrelid::regclass::text as table from pg_constraint
    where contype = 'f' and confrelid in ('accounts'::regclass, 'two_factor'::regclass) and confdeltype not in ('c', 'n')`
  expect(kept).toEqual([])
})
