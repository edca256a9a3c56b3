import { readFile } from 'node:fs/promises'
import { Umzug, type UmzugStorage } from 'umzug'
import type { Logger } from '#core/logger.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import type { Sql } from '#core/stores/postgres.ts'
import { selectRows } from './clickhouse/clickhouse-rows.ts'
import { alterTarget, toClusterStatements } from './clickhouse/cluster-sql.ts'
import { applyRetention, defaultRetention, type RetentionConfig } from './clickhouse/retention.ts'
import { requireClickHouseVersion, requirePostgresVersion } from './versions.ts'
import { listMigrations, migrationFolders } from './migration-files.ts'

export type MigrationFolders = typeof migrationFolders

/** Arbitrary number that nothing else in this database uses. */
const advisoryLock = 7_255_976

/** Migrates both databases to the newest schema. Concurrent runs wait for an advisory lock in Postgres. */
export async function migrate(
  sql: Sql,
  clickhouse: ClickHouseClient,
  config: RetentionConfig,
  logger: Logger,
  folders = migrationFolders,
): Promise<void> {
  await requirePostgresVersion(sql)
  await requireClickHouseVersion(clickhouse)
  // A transaction-level lock, because a pooler may give each transaction another session.
  await sql.begin(async (lock) => {
    await lock`select pg_advisory_xact_lock(${advisoryLock})`
    await migratePostgres(sql, logger, folders)
    await migrateClickHouse(clickhouse, logger, config, folders)
  })
}

/** Does not take the migration lock. */
export async function migratePostgres(sql: Sql, logger: Logger, folders = migrationFolders): Promise<void> {
  await run(folders.postgres, await postgresStorage(sql), (text) => sql.begin((tx) => tx.unsafe(text)), logger)
}

/** Does not take the migration lock. */
export async function migrateClickHouse(
  clickhouse: ClickHouseClient,
  logger: Logger,
  config: RetentionConfig = defaultRetention,
  folders = migrationFolders,
): Promise<void> {
  const { clickhouseCluster } = config
  const execute = async (text: string) => {
    for (const statement of statementsOf(text)) {
      const forms = clickhouseCluster ? toClusterStatements(statement, clickhouseCluster) : [statement]
      for (const query of forms) await clickhouse.command({ query })
    }
  }
  await run(folders.clickhouse, await clickhouseStorage(clickhouse, clickhouseCluster), execute, logger)
  await applyRetention(clickhouse, config, logger)
}

async function run(folder: URL, storage: UmzugStorage, apply: (text: string) => Promise<unknown>, logger: Logger) {
  const files = await listMigrations(folder)
  const umzug = new Umzug({
    migrations: files.map((name) => ({
      name,
      up: async () => apply(await readFile(new URL(name, folder), 'utf8')),
    })),
    storage,
    logger: undefined,
  })
  for (const { name } of await umzug.up()) logger.info({ migration: name }, 'migration applied')
}

async function postgresStorage(sql: Sql): Promise<UmzugStorage> {
  await sql`create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())`
  return {
    logMigration: async ({ name }) => void (await sql`insert into schema_migrations (name) values (${name})`),
    unlogMigration: async ({ name }) => void (await sql`delete from schema_migrations where name = ${name}`),
    executed: async () =>
      (await sql<{ name: string }[]>`select name from schema_migrations order by name`).map((row) => row.name),
  }
}

async function clickhouseStorage(clickhouse: ClickHouseClient, cluster: string | undefined): Promise<UmzugStorage> {
  const create = `CREATE TABLE IF NOT EXISTS schema_migrations (
  name String, applied_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY name`
  for (const query of cluster ? toClusterStatements(create, cluster) : [create]) await clickhouse.command({ query })
  return {
    logMigration: async ({ name }) =>
      void (await clickhouse.insert({ table: 'schema_migrations', values: [{ name }], format: 'JSONEachRow' })),
    unlogMigration: async ({ name }) =>
      void (await clickhouse.command({
        query: `ALTER TABLE ${alterTarget('schema_migrations', cluster)} DELETE WHERE name = {name: String}`,
        query_params: { name },
      })),
    executed: async () => {
      const query = 'SELECT DISTINCT name FROM schema_migrations ORDER BY name'
      return (await selectRows<{ name: string }>(clickhouse, query)).map((row) => row.name)
    },
  }
}

/** ClickHouse accepts one statement per call; in the files, each one ends with a semicolon at the end of a line. */
export const statementsOf = (text: string): string[] => text.split(/;\s*$/m).flatMap((part) => part.trim() || [])
