import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Config } from '#core/config.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import type { Sql } from '#core/stores/postgres.ts'
import { StartFailure } from '#tools/process/start-failure.ts'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { listMigrations, migrationFolders } from '#store/migration-files.ts'
import { migrate } from '#store/migrations.ts'
import { createPipelineStore } from '#store/clickhouse/pipeline.ts'
import { exportClickHouse, importClickHouse } from './clickhouse-tables.ts'
import { exportPostgres, importPostgres } from './postgres-tables.ts'
import { reconcileCounters } from './reconcile-counters.ts'
import { RowCounts } from './row-counts.ts'

export interface Stores {
  sql: Sql
  clickhouse: ClickHouseClient
  queue: QueueShards
}

const Description = z.object({
  version: z.literal(2),
  at: z.iso.datetime(),
  /** A backup can be restored only into the same schema. */
  migrations: z.object({ postgres: z.array(z.string()), clickhouse: z.array(z.string()) }),
  rows: z.object({ postgres: RowCounts, clickhouse: RowCounts }),
})
type Description = z.infer<typeof Description>

const descriptionName = 'backup.json'

interface Copied {
  rows: RowCounts
  /** In a backup: requests that are not in ClickHouse yet. In a restore: those counted by the queue's Redis. */
  missingRequests: number
}

/**
 * Copies accounts and logs. Workers must be stopped, so that logs and rollups are consistent; the proxies keep running,
 * and their logs wait in the queue.
 * @throws StartFailure when a worker runs, migrations run meanwhile, or `target` exists
 */
export async function backUpStores({ sql, clickhouse, queue }: Stores, target: string): Promise<Copied> {
  if (existsSync(target))
    throw new StartFailure(`${resolve(target)} is there already; a backup never replaces another.`)
  const { workers, queued, spooled } = await createPipelineStore(clickhouse, queue).read()
  if (workers.some(({ isSilent }) => !isSilent))
    throw new StartFailure(
      'A worker is running, or was less than 10 s ago. Stop the workers first; logs wait in the queue meanwhile.',
    )
  const draft = `${resolve(target)}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  const migrations = await appliedMigrations(sql, clickhouse)
  // Postgres first: logs may refer to tokens newer than the backup, but not the other way round.
  const rows = {
    postgres: await exportPostgres(sql, join(draft, 'postgres')),
    clickhouse: await exportClickHouse(clickhouse, join(draft, 'clickhouse')),
  }
  if (JSON.stringify(migrations) !== JSON.stringify(await appliedMigrations(sql, clickhouse)))
    throw new StartFailure('Migrations ran during the backup, so that it can not be restored: repeat it.')
  const description: Description = { version: 2, at: new Date().toISOString(), migrations, rows }
  await writeFile(join(draft, descriptionName), JSON.stringify(description, null, 2))
  await rename(draft, target)
  return { rows: { ...rows.postgres, ...rows.clickhouse }, missingRequests: queued + spooled }
}

/**
 * Restores a backup into empty stores, and corrects the delivery counters.
 * @throws StartFailure when `source` is not a backup or has another schema, data would be overwritten, or rows are missing
 */
export async function restoreStores(
  source: string,
  { sql, clickhouse, queue }: Stores,
  config: Config,
  logger: Logger,
): Promise<Copied> {
  const text = await readFile(join(source, descriptionName), 'utf8').catch(() => {
    throw new StartFailure(`${resolve(source)} is not a backup.`)
  })
  const { migrations, rows } = Description.parse(JSON.parse(text))
  const requireOwn = (found: Description['migrations']) => {
    if (JSON.stringify(migrations) === JSON.stringify(found)) return
    throw new StartFailure('The backup is of another version of Sallyport: restore it with that one, then upgrade.')
  }
  // Migrated stores would be too new for that version.
  requireOwn({
    postgres: await listMigrations(migrationFolders.postgres),
    clickhouse: await listMigrations(migrationFolders.clickhouse),
  })
  await migrate(sql, clickhouse, config, logger)
  requireOwn(await appliedMigrations(sql, clickhouse))
  const [accounts] = await sql`select 1 from accounts limit 1`
  const logs = await selectRows(clickhouse, 'SELECT 1 FROM ingest_minute LIMIT 1')
  if (accounts || logs.length > 0) throw new StartFailure('There is data in these stores: restore into empty ones.')
  await importPostgres(sql, join(source, 'postgres'), rows.postgres)
  await importClickHouse(clickhouse, join(source, 'clickhouse'), rows.clickhouse)
  return {
    rows: { ...rows.postgres, ...rows.clickhouse },
    missingRequests: await reconcileCounters(clickhouse, queue),
  }
}

async function appliedMigrations(sql: Sql, clickhouse: ClickHouseClient): Promise<Description['migrations']> {
  const inPostgres = await sql<{ name: string }[]>`select name from schema_migrations order by name`
  const inClickHouse = await selectRows<{ name: string }>(
    clickhouse,
    'SELECT DISTINCT name FROM schema_migrations ORDER BY name',
  )
  return { postgres: inPostgres.map(({ name }) => name), clickhouse: inClickHouse.map(({ name }) => name) }
}
