import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { openPostgres, type Sql } from '#core/resources.ts'
import { migratePostgres } from './migrations.ts'

const server = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres:pw@127.0.0.1:5499/postgres'

export interface TestDatabase {
  url: string
  sql: Sql
  drop(): Promise<void>
}

/** A migrated Postgres database of one test file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = openPostgres({ postgresUrl: server }, 'test')
  await admin.unsafe(`create database ${name}`)
  const url = new URL(`/${name}`, server).href
  const sql = openPostgres({ postgresUrl: url }, 'test')
  await migratePostgres(sql, pino({ level: 'silent' }))
  return {
    url,
    sql,
    async drop() {
      await sql.end()
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
