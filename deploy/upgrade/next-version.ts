import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { MigrationFolders } from '#store/migrations.ts'

const schemas = join(import.meta.dirname, '../../schemas')

/** What versions do as a rule, on the tables that every request meets: columns, an index, one more rollup. */
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

/** The migrations of this version and one more for each database, in a folder of their own. */
export async function writeNextVersion(): Promise<MigrationFolders & { path: string; name: string }> {
  const path = await mkdtemp(join(tmpdir(), 'sallyport-next-'))
  const name = '999_next_version.sql'
  for (const [database, text] of Object.entries({ postgres, clickhouse })) {
    await mkdir(join(path, database))
    await cp(join(schemas, database), join(path, database), { recursive: true })
    await writeFile(join(path, database, name), text)
  }
  const folderOf = (database: string) => pathToFileURL(`${join(path, database)}/`)
  return { path, name, postgres: folderOf('postgres'), clickhouse: folderOf('clickhouse') }
}
