/** The local table on each server of a cluster; the plain name is the distributed table. */
const shardOf = (table: string) => `${table}_shard`

const createTable = /^CREATE TABLE IF NOT EXISTS (\w+) \(/m
const createView = /^CREATE MATERIALIZED VIEW IF NOT EXISTS (\w+) TO (\w+) AS$/m
const alterTable = /^ALTER TABLE (\w+)(?=\s)/m
/** The part of a table that an ALTER changes; a distributed table has only columns. */
const changedParts = /\b(?:ADD|DROP|MODIFY|RENAME|COMMENT) ([A-Z]+)\b/g
/** A column joins the order of a table in the statement that adds it. */
const changedOrder = /,\s*MODIFY ORDER BY \([^)]+\)/
const removesColumn = /\b(?:DROP|RENAME) COLUMN\b/
const engine = /ENGINE = (\w*MergeTree)/
const deduplication = /\bnon_replicated_deduplication_window = (\d+)/

/** Longer than a group of batches can wait for its retry. */
const deduplicationSeconds = 604_800

/** A view reads the shard on its own server. */
const fromShard = (query: string) =>
  query.replace(/^FROM (\w+) AS/m, (_, source: string) => `FROM ${shardOf(source)} AS`)

/**
 * Converts a statement for one server into those for a cluster: replicated tables on every shard, views between them,
 * and a distributed table over each. An ALTER of columns changes both tables, with IF [NOT] EXISTS, because a failed
 * run may have changed one of them.
 */
export function toClusterStatements(statement: string, cluster: string): string[] {
  const table = createTable.exec(statement)?.[1]
  if (table) return tableStatements(statement, table, cluster)
  const altered = alterTable.exec(statement)?.[1]
  if (altered) return alterStatements(statement, altered, cluster)
  const [, name, target] = createView.exec(statement) ?? []
  if (!target) throw new Error(`This statement cannot be converted for a cluster: ${statement.slice(0, 80)}`)
  const onCluster = `CREATE MATERIALIZED VIEW IF NOT EXISTS ${name} ON CLUSTER '${cluster}' TO ${shardOf(target)} AS`
  return [fromShard(statement.replace(createView, onCluster))]
}

function alterStatements(statement: string, table: string, cluster: string): string[] {
  const alter = (name: string) => statement.replace(alterTable, `ALTER TABLE ${name} ON CLUSTER '${cluster}'`)
  const parts = new Set(Array.from(statement.matchAll(changedParts), ([, part]) => part))
  if (parts.has('QUERY')) return [fromShard(alter(table))]
  const [shards, whole] = [alter(shardOf(table)), alter(table).replace(changedOrder, '')]
  if (!parts.has('COLUMN')) return [shards]
  parts.delete('ORDER')
  if (parts.size > 1) throw new Error(`An ALTER of columns stands alone in a cluster: ${statement.slice(0, 80)}`)
  // The distributed table never has a column that a shard lacks.
  return removesColumn.test(statement) ? [whole, shards] : [shards, whole]
}

function tableStatements(statement: string, table: string, cluster: string): string[] {
  const shardingKey = /^ {2}account_id UUID/m.test(statement) ? 'cityHash64(account_id)' : 'rand()'
  const path = `'/clickhouse/tables/{shard}/{database}/${table}', '{replica}'`
  const shard = statement
    .replace(createTable, `CREATE TABLE IF NOT EXISTS ${shardOf(table)} ON CLUSTER '${cluster}' (`)
    .replace(engine, (_, name: string) => `ENGINE = Replicated${name}(${path})`)
    .replace(
      deduplication,
      `replicated_deduplication_window = $1, replicated_deduplication_window_seconds = ${deduplicationSeconds}`,
    )
  const whole = `CREATE TABLE IF NOT EXISTS ${table} ON CLUSTER '${cluster}' AS ${shardOf(table)}
ENGINE = Distributed('${cluster}', currentDatabase(), ${shardOf(table)}, ${shardingKey})`
  return [shard, whole]
}

/** The table of an ALTER: the table itself, or the shards of a cluster. */
export const alterTarget = (table: string, cluster: string | undefined): string =>
  cluster ? `${shardOf(table)} ON CLUSTER '${cluster}'` : table
