import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { alterTarget, toClusterStatements } from './cluster-sql.ts'
import { statementsOf } from '../migrations.ts'

const folder = new URL('../../../schemas/clickhouse/', import.meta.url)

test('a table becomes a replicated one on each shard, and a distributed one over them', () => {
  const [shard, whole] = toClusterStatements(
    `CREATE TABLE IF NOT EXISTS logs (
  account_id UUID,
) ENGINE = AggregatingMergeTree
ORDER BY account_id
SETTINGS non_replicated_deduplication_window = 10000`,
    'main',
  )
  expect(shard).toBe(`CREATE TABLE IF NOT EXISTS logs_shard ON CLUSTER 'main' (
  account_id UUID,
) ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/{database}/logs', '{replica}')
ORDER BY account_id
SETTINGS replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800`)
  expect(whole).toBe(`CREATE TABLE IF NOT EXISTS logs ON CLUSTER 'main' AS logs_shard
ENGINE = Distributed('main', currentDatabase(), logs_shard, cityHash64(account_id))`)
})

test('a view stays on its shard', () => {
  const view = `CREATE MATERIALIZED VIEW IF NOT EXISTS feed TO sums AS
SELECT count() AS n
FROM logs AS rows
GROUP BY n`
  expect(toClusterStatements(view, 'main')).toEqual([
    `CREATE MATERIALIZED VIEW IF NOT EXISTS feed ON CLUSTER 'main' TO sums_shard AS
SELECT count() AS n
FROM logs_shard AS rows
GROUP BY n`,
  ])
})

test('every statement of the schema has a form for a cluster, and none names a plain table in a view', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  const statements = files.flatMap((file) => statementsOf(readFileSync(new URL(file, folder), 'utf8')))
  expect(statements.length).toBeGreaterThan(10)
  for (const statement of statements) {
    const [first] = toClusterStatements(statement, 'main')
    expect(first).toContain("ON CLUSTER 'main'")
    expect(first).not.toMatch(/non_replicated|(?<!Replicated)(?<!Replacing|Aggregating)MergeTree\b(?!\()/)
    if (first!.includes('MATERIALIZED VIEW')) expect(first).toMatch(/ TO \w+_shard AS[^]*\nFROM \w+_shard AS/)
  }
})

const region = "COLUMN IF NOT EXISTS region LowCardinality(String) DEFAULT 'none' CODEC(ZSTD(1)) AFTER route"

test('a column is added to the shards before the distributed table, and dropped in reverse order', () => {
  expect(toClusterStatements(`-- Where it came from.\nALTER TABLE logs ADD ${region}`, 'main')).toEqual([
    `-- Where it came from.\nALTER TABLE logs_shard ON CLUSTER 'main' ADD ${region}`,
    `-- Where it came from.\nALTER TABLE logs ON CLUSTER 'main' ADD ${region}`,
  ])
  expect(toClusterStatements('ALTER TABLE logs DROP COLUMN IF EXISTS region', 'main')).toEqual([
    "ALTER TABLE logs ON CLUSTER 'main' DROP COLUMN IF EXISTS region",
    "ALTER TABLE logs_shard ON CLUSTER 'main' DROP COLUMN IF EXISTS region",
  ])
})

test('a distributed table gets the column that extends the order of the shards', () => {
  expect(toClusterStatements(`ALTER TABLE logs\n  ADD ${region},\n  MODIFY ORDER BY (a, region)`, 'main')).toEqual([
    `ALTER TABLE logs_shard ON CLUSTER 'main'\n  ADD ${region},\n  MODIFY ORDER BY (a, region)`,
    `ALTER TABLE logs ON CLUSTER 'main'\n  ADD ${region}`,
  ])
})

test('indexes, settings and the order are altered only on the shards', () => {
  for (const change of [
    'ADD INDEX i search TYPE minmax',
    'MODIFY SETTING index_granularity = 256',
    'MODIFY ORDER BY a',
  ])
    expect(toClusterStatements(`ALTER TABLE logs ${change}`, 'main')).toEqual([
      `ALTER TABLE logs_shard ON CLUSTER 'main' ${change}`,
    ])
  expect(() => toClusterStatements(`ALTER TABLE logs ADD ${region}, ADD INDEX i region TYPE set(9)`, 'main')).toThrow(
    'stands alone',
  )
})

const query = (table: string) => `MODIFY QUERY\nSELECT count() AS n\nFROM ${table} AS rows\nGROUP BY n`

test('an altered view still reads its own shard', () => {
  expect(toClusterStatements(`ALTER TABLE feed ${query('logs')}`, 'main')).toEqual([
    `ALTER TABLE feed ON CLUSTER 'main' ${query('logs_shard')}`,
  ])
  expect(() => toClusterStatements('DROP TABLE logs', 'main')).toThrow('cannot be converted for a cluster')
})

test('a table is altered on all servers of a cluster', () => {
  expect(alterTarget('logs', undefined)).toBe('logs')
  expect(alterTarget('logs', 'main')).toBe("logs_shard ON CLUSTER 'main'")
})
