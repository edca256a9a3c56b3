import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { errorWithCode, messageOf } from '#core/errors.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'

/** Time limit of a query for a screen, seconds. */
export const maxSeconds = 5

/** Settings belong in the query text: chDB would apply settings from elsewhere to all later queries. */
export async function selectRows<Row>(
  clickhouse: ClickHouseClient,
  query: string,
  params: Record<string, unknown> = {},
): Promise<Row[]> {
  try {
    const rows = await clickhouse.query({ query, query_params: params, format: 'JSONEachRow' })
    return await rows.json<Row>()
  } catch (error) {
    // The client's error has no code.
    if (messageOf(error) !== 'Timeout error.') throw error
    throw errorWithCode('ETIMEDOUT', 'ClickHouse did not respond in time')
  }
}

/** For a query that returns exactly one row, such as a sum. */
export async function selectRow<Row>(
  clickhouse: ClickHouseClient,
  query: string,
  params: Record<string, unknown> = {},
): Promise<Row> {
  const [row] = await selectRows<Row>(clickhouse, query, params)
  if (row === undefined) throw new Error('the query returned no row')
  return row
}

/**
 * Inserts JSON lines synchronously; each line is an array of the columns' values.
 * @param token repeating the same rows with the same token changes neither rows nor rollups
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
    // One insert is one block, so it is atomic.
    'max_insert_block_size = 1000000',
    'min_insert_block_size_rows = 1000000',
    'min_insert_block_size_bytes = 0',
    'input_format_parallel_parsing = 0',
    'max_partitions_per_insert_block = 0',
  ].join(', ')
  const into = `${table} (${columns.join(', ')})`
  await insertText(clickhouse, `INSERT INTO ${into} SETTINGS ${settings} FORMAT JSONCompactEachRow`, chunks)
}

/** @param chunks rows in the statement's format; no chunk ends within a character, because chDB decodes each one */
export async function insertText(clickhouse: ClickHouseClient, statement: string, chunks: readonly Buffer[]) {
  const values = Readable.from(chunks, { objectMode: false })
  const { stream } = await clickhouse.exec({ query: statement, values })
  // The client would close the connection of an unread response and log a warning.
  await finished(stream.resume())
}
