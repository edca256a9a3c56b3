import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ClickHouseClient } from '#core/resources.ts'

/** Settings belong in the text of the query: chDB would keep others for all later queries. */
export async function selectRows<Row>(
  clickhouse: ClickHouseClient,
  query: string,
  params: Record<string, unknown> = {},
): Promise<Row[]> {
  const rows = await clickhouse.query({ query, query_params: params, format: 'JSONEachRow' })
  return rows.json<Row>()
}

/** For a query that always gives one row, such as a sum. */
export async function selectRow<Row>(
  clickhouse: ClickHouseClient,
  query: string,
  params: Record<string, unknown> = {},
): Promise<Row> {
  const [row] = await selectRows<Row>(clickhouse, query, params)
  if (row === undefined) throw new Error('the query gave no row')
  return row
}

/**
 * One synchronous insert of rows as JSON lines: arrays with the values of the columns.
 * @param token repeated with the same token and the same rows it changes nothing, neither rows nor rollups
 */
export async function insertLines(
  clickhouse: ClickHouseClient,
  table: string,
  columns: readonly string[],
  chunks: readonly Buffer[],
  token: string,
): Promise<void> {
  const settings = [
    `insert_deduplication_token = '${token}'`,
    'deduplicate_blocks_in_dependent_materialized_views = 1',
    'async_insert = 0',
    'insert_distributed_sync = 1',
    // One insert is one block, so it is in the table as a whole or not at all.
    'max_insert_block_size = 1000000',
    'min_insert_block_size_rows = 1000000',
    'min_insert_block_size_bytes = 0',
    'input_format_parallel_parsing = 0',
    'max_partitions_per_insert_block = 0',
  ].join(', ')
  const into = `${table} (${columns.join(', ')})`
  await insertText(clickhouse, `INSERT INTO ${into} SETTINGS ${settings} FORMAT JSONCompactEachRow`, chunks)
}

/** @param chunks rows in the format of the statement; each holds whole characters, since chDB turns it into text */
export async function insertText(
  clickhouse: ClickHouseClient,
  statement: string,
  chunks: readonly Buffer[],
): Promise<void> {
  const values = Readable.from(chunks, { objectMode: false })
  const { stream } = await clickhouse.exec({ query: statement, values })
  // An unread response closes the connection, and the client warns of it.
  await finished((stream as Readable).resume())
}
