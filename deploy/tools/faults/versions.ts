import { root } from '#tools/root.ts'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { MigrationFolders } from '#store/migrations.ts'
import { required } from '#tools/process/required.ts'

const schemas = join(root, 'schemas')

/** Typical changes of a version to tables that every request uses: columns, an index and a rollup. */
const postgres = `
alter table accounts add column note text not null default '';
alter table proxy_configs add column is_traced boolean not null default false;
create index secure_tokens_by_age on secure_tokens (account_id, created_at);
`
const clickhouse = `
ALTER TABLE request_logs ADD COLUMN region LowCardinality(String) DEFAULT 'none';
CREATE TABLE usage_by_region (region LowCardinality(String), requests UInt64) ENGINE = SummingMergeTree ORDER BY region;
CREATE MATERIALIZED VIEW usage_by_region_view TO usage_by_region AS
  SELECT region, count() AS requests FROM request_logs GROUP BY region;
`

/** SQL files in a temporary folder, removed once they are applied. */
interface Version extends MigrationFolders {
  path: string
}

/** Writes the migrations of this version without the newest one of Postgres. */
export async function writePreviousVersion(): Promise<Version> {
  const version = await copySchemas()
  const newest = required((await readdir(version.postgres)).toSorted().at(-1), 'migration')
  await rm(new URL(newest, version.postgres))
  return version
}

/** Writes the migrations of this version and one more for each database. */
export async function writeNextVersion(): Promise<Version & { name: string }> {
  const version = await copySchemas()
  const name = '999_next_version.sql'
  await writeFile(new URL(name, version.postgres), postgres)
  await writeFile(new URL(name, version.clickhouse), clickhouse)
  return { ...version, name }
}

async function copySchemas(): Promise<Version> {
  const path = await mkdtemp(join(tmpdir(), 'sallyport-version-'))
  for (const database of ['postgres', 'clickhouse'])
    await cp(join(schemas, database), join(path, database), { recursive: true })
  const folderOf = (database: string) => pathToFileURL(`${join(path, database)}/`)
  return { path, postgres: folderOf('postgres'), clickhouse: folderOf('clickhouse') }
}
