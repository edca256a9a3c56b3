import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, messageOf } from '#core/errors.ts'
import type { Logger } from '#core/logger.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { storePatienceMs } from '#core/stores/patience.ts'
import type { Sql } from '#core/stores/postgres.ts'
import { second } from '#core/units.ts'
import { selectRows } from './clickhouse/clickhouse-rows.ts'
import { toClusterStatements } from './clickhouse/cluster-sql.ts'
import { applyRetention, defaultRetention, type RetentionConfig } from './clickhouse/retention.ts'
import { requireClickHouseVersion, requirePostgresVersion } from './versions.ts'
import { listMigrations, migrationFolders } from './migration-files.ts'

export type MigrationFolders = typeof migrationFolders

/** Arbitrary number that nothing else in this database uses. */
const advisoryLock = 7_255_976

/**
 * How long a change waits for its lock, ms. All later queries of the table wait behind it, even if it only waits for a
 * backup that reads. Longer than Postgres' `deadlock_timeout`, after which autovacuum makes way.
 */
const lockTimeoutMs = 2 * second

/** Lets these queries run before the next attempt, ms. */
const lockPauseMs = 3 * second

const [lockNotAvailable, deadlockDetected] = ['55P03', '40P01']

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
  await sql`create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())`
  const schema: Schema = {
    // In one transaction: otherwise, a run that dies in between would leave a file that can't be applied again.
    apply: (name, text) => {
      const change = () =>
        sql.begin(async (tx) => {
          await tx.unsafe(`set local lock_timeout = ${lockTimeoutMs}`)
          await tx.unsafe(text)
          await tx`insert into schema_migrations (name) values (${name})`
        })
      return retryWhileLocked(change, (error) =>
        logger.warn({ migration: name, err: error }, 'another transaction locks a table; trying again'),
      )
    },
    listApplied: () => sql<{ name: string }[]>`select name from schema_migrations`,
  }
  await run(folders.postgres, schema, logger)
}

/** Does not take the migration lock. */
export async function migrateClickHouse(
  clickhouse: ClickHouseClient,
  logger: Logger,
  config: RetentionConfig = defaultRetention,
  folders = migrationFolders,
): Promise<void> {
  const { clickhouseCluster } = config
  const apply = async (text: string) => {
    for (const statement of statementsOf(text)) {
      const forms = clickhouseCluster ? toClusterStatements(statement, clickhouseCluster) : [statement]
      for (const query of forms) await clickhouse.command({ query })
    }
  }
  await apply(`CREATE TABLE IF NOT EXISTS schema_migrations (
  name String, applied_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY name`)
  const schema: Schema = {
    async apply(name, text) {
      await apply(text)
      await clickhouse.insert({ table: 'schema_migrations', values: [{ name }], format: 'JSONEachRow' })
    },
    listApplied: () => selectRows(clickhouse, 'SELECT DISTINCT name FROM schema_migrations'),
  }
  await run(folders.clickhouse, schema, logger)
  await applyRetention(clickhouse, config, logger)
}

async function retryWhileLocked(change: () => Promise<unknown>, onLocked: (error: unknown) => void): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    try {
      await change()
      return
    } catch (error) {
      const isLocked = [lockNotAvailable, deadlockDetected].includes(codeOf(error) ?? '')
      if (!isLocked || performance.now() - startedAt > storePatienceMs.maintenance) throw error
      onLocked(error)
      await sleep(lockPauseMs)
    }
  }
}

interface Schema {
  /** Also notes that the file is applied. */
  apply(name: string, text: string): Promise<unknown>
  listApplied(): Promise<{ name: string }[]>
}

async function run(folder: URL, { apply, listApplied }: Schema, logger: Logger): Promise<void> {
  const applied = new Set((await listApplied()).map(({ name }) => name))
  for (const name of await listMigrations(folder)) {
    if (applied.has(name)) continue
    try {
      await apply(name, await readFile(new URL(name, folder), 'utf8'))
    } catch (error) {
      throw new Error(`migration ${name} failed: ${messageOf(error)}`, { cause: error })
    }
    logger.info({ migration: name }, 'migration applied')
  }
}

/** ClickHouse accepts one statement per call; in the files, each one ends with a semicolon at the end of a line. */
export const statementsOf = (text: string): string[] => text.split(/;\s*$/m).flatMap((part) => part.trim() || [])
