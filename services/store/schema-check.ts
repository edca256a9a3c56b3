import { StartupProblem } from '#core/process/startup.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import type { Sql } from '#core/stores/postgres.ts'
import { selectRow, selectRows } from './clickhouse/clickhouse-rows.ts'
import { listMigrations, migrationFolders } from './migration-files.ts'

/**
 * A newer schema is fine, because every release works with the schema of the next one.
 * @throws StartupProblem if a migration of this release is missing
 */
export async function requirePostgresSchema(sql: Sql): Promise<void> {
  const [row] = await sql<[{ exists: boolean }]>`select to_regclass('schema_migrations') is not null as exists`
  const applied = row.exists ? await sql<{ name: string }[]>`select name from schema_migrations` : []
  requireApplied('Postgres', applied, await listMigrations(migrationFolders.postgres))
}

/** @throws StartupProblem like `requirePostgresSchema` */
export async function requireClickHouseSchema(clickhouse: ClickHouseClient): Promise<void> {
  const table = await selectRow<{ result: number }>(clickhouse, 'EXISTS TABLE schema_migrations')
  const query = 'SELECT DISTINCT name FROM schema_migrations'
  const applied = table.result ? await selectRows<{ name: string }>(clickhouse, query) : []
  requireApplied('ClickHouse', applied, await listMigrations(migrationFolders.clickhouse))
}

function requireApplied(store: string, applied: readonly { name: string }[], wanted: readonly string[]): void {
  const names = new Set(applied.map(({ name }) => name))
  const missing = wanted.filter((name) => !names.has(name))
  if (missing.length === 0) return
  throw new StartupProblem(`The schema of ${store} is too old: run the migrations, from ${missing[0]} on.`)
}
