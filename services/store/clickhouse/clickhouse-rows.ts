import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ClickHouseClient } from '#core/resources.ts'

/** Runs a query and gives its rows. Settings belong into the text: chDB would keep others for all later queries. */
export async function selectRows<Row>(
  clickhouse: ClickHouseClient,
  query: string,
  params: Record<string, unknown> = {},
): Promise<Row[]> {
  const rows = await clickhouse.query({ query, query_params: params, format: 'JSONEachRow' })
  return rows.json<Row>()
}

/**
 * One synchronous insert of rows as JSON lines: arrays with the values of the columns.
 * @param token repeated with the same token and the very same rows it changes nothing, neither rows nor rollups
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

/** @param chunks the rows in the format that the statement names; whole characters each, as chDB makes text of them */
export async function insertText(
  clickhouse: ClickHouseClient,
  statement: string,
  chunks: readonly Buffer[],
): Promise<void> {
  const values = Readable.from(chunks, { objectMode: false })
  const { stream } = await clickhouse.exec({ query: statement, values })
  // Read to its end, empty as it is: else the connection is closed, and the client warns of it.
  await finished((stream as Readable).resume())
}
