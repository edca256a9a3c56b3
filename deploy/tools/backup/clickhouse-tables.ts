import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { ClickHouseClient } from '#core/resources.ts'
import { insertText, selectRows } from '#store/clickhouse/clickhouse-rows.ts'

const extension = '.tsv.zst'

/** Times are written as ISO 8601; rows of years may come in one block; nothing is a repetition. */
const insertSettings =
  "date_time_input_format = 'best_effort', max_partitions_per_insert_block = 0, insert_deduplicate = 0"

/**
 * Copies each partition that has rows into a file, through the same HTTP interface as everything else. One after the
 * other, as the embedded engine holds an answer as a whole.
 */
export async function exportClickHouse(clickhouse: ClickHouseClient, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { table, id } of await partitionsOf(clickhouse, "table != 'schema_migrations'")) {
    const { stream } = await clickhouse.exec({
      query: `SELECT * FROM ${table} WHERE _partition_id = {id: String} FORMAT TabSeparatedWithNames`,
      query_params: { id },
      // An error in the middle would else arrive as the last rows of an answer that seemed to be fine.
      clickhouse_settings: { wait_end_of_query: 1 },
    })
    const file = createWriteStream(join(folder, `${table}.${id}${extension}`))
    await pipeline(stream, createZstdCompress(), file)
  }
}

/**
 * Fills empty tables from such files. The rows arrive in a table beside, and are moved in as they are: an insert would
 * be counted once more by the rollups that follow it.
 *
 * @param partBytes about how much text is inserted at once: the embedded engine takes it as one string
 */
export async function importClickHouse(
  clickhouse: ClickHouseClient,
  folder: string,
  partBytes = 2 ** 25,
): Promise<void> {
  for (const file of await readdir(folder)) {
    const [table] = file.split('.')
    const beside = `${table}_restored`
    await clickhouse.command({ query: `CREATE OR REPLACE TABLE ${beside} AS ${table}` })
    const insert = `INSERT INTO ${beside} SETTINGS ${insertSettings} FORMAT TabSeparatedWithNames`
    const store = async (text: AsyncIterable<Buffer>) => {
      for await (const part of cutBehindLines(text, partBytes)) await insertText(clickhouse, insert, [part])
    }
    await pipeline(createReadStream(join(folder, file)), createZstdDecompress(), store)
    for (const { id } of await partitionsOf(clickhouse, 'table = {beside: String}', { beside }))
      await clickhouse.command({ query: `ALTER TABLE ${beside} MOVE PARTITION ID '${id}' TO TABLE ${table}` })
    await clickhouse.command({ query: `DROP TABLE ${beside}` })
  }
}

const partitionsOf = (clickhouse: ClickHouseClient, condition: string, params: Record<string, unknown> = {}) =>
  selectRows<{ table: string; id: string }>(
    clickhouse,
    `SELECT DISTINCT table, partition_id AS id FROM system.parts
      WHERE database = currentDatabase() AND active AND rows > 0 AND ${condition} ORDER BY table, id`,
    params,
  )

/** Cuts text into parts of whole lines, each with the first line of all, which names the columns. */
async function* cutBehindLines(chunks: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let names: Buffer | undefined
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes < partBytes || !chunk.includes('\n')) continue
    const text = Buffer.concat(waiting)
    names ??= text.subarray(0, text.indexOf('\n') + 1)
    const end = text.lastIndexOf('\n') + 1
    yield text.subarray(0, end)
    waiting = [names, text.subarray(end)]
    bytes = text.length - end
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}
