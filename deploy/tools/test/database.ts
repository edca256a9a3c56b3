import { randomUUID } from 'node:crypto'
import { openPostgres, type Sql } from '#core/stores/postgres.ts'

export interface TestDatabase {
  name: string
  url: string
  sql: Sql
  drop(): Promise<void>
}

interface DatabaseOptions {
  postgresUrl: string
  postgresAdminUrl?: string
  /** The database to copy. Default: an empty one. */
  postgresTemplate?: string
}

/** Creates a Postgres database with a random name, which belongs to the role of `postgresUrl`. */
export async function createDatabase({
  postgresUrl,
  postgresAdminUrl = postgresUrl,
  postgresTemplate = 'template1',
}: DatabaseOptions): Promise<TestDatabase> {
  const name = newName()
  const url = withPath(postgresUrl, name)
  const admin = openPostgres({ postgresUrl: postgresAdminUrl }, 'test')
  const owner = new URL(postgresUrl).username
  await admin`create database ${admin(name)} template ${admin(postgresTemplate)} owner ${admin(owner)}`
  const sql = openPostgres({ postgresUrl: url }, 'test')
  return {
    name,
    url,
    sql,
    async drop() {
      await sql.end()
      await admin`drop database ${admin(name)} with (force)`
      await admin.end()
    },
  }
}

/** A name for a test database. */
export const newName = (): string => `test_${randomUUID().replaceAll('-', '')}`

export function withPath(url: string, path: string): string {
  const changed = new URL(url)
  changed.pathname = `/${path}`
  return changed.href
}
