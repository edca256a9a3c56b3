import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { insertText, selectRow, selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { checkRows, type RowCounts } from './row-counts.ts'

const extension = '.tsv.zst'

/** Accepts ISO 8601 times and blocks with rows of many partitions; keeps equal rows, neither dropped nor summed. */
const insertSettings =
  "date_time_input_format = 'best_effort', max_partitions_per_insert_block = 0, insert_deduplicate = 0, optimize_on_insert = 0"

/**
 * Copies each non-empty partition into a file, over HTTP. One at a time, because the embedded engine buffers a whole
 * response.
 * @returns the rows of each file, by `<table>.<partition>`
 */
export async function exportClickHouse(clickhouse: ClickHouseClient, folder: string): Promise<RowCounts> {
  await mkdir(folder, { recursive: true })
  const counts: RowCounts = {}
  for (const { table, id } of await partitionsOf(clickhouse, "table != 'schema_migrations'")) {
    const { stream } = await clickhouse.exec({
      query: `SELECT * FROM ${table} WHERE _partition_id = {id: String} FORMAT TabSeparatedWithNames`,
      query_params: { id },
      // Otherwise a late error would look like the last rows of a successful response.
      clickhouse_settings: { wait_end_of_query: 1 },
    })
    const name = `${table}.${id}`
    // The first line has the names of the columns; line feeds in values are escaped.
    counts[name] = -1
    const count = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        counts[name]! += lineFeedsIn(chunk)
        yield chunk
      }
    }
    await pipeline(stream, count, createZstdCompress(), createWriteStream(join(folder, name + extension)))
  }
  return counts
}

function lineFeedsIn(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', at + 1)) count += 1
  return count
}

/**
 * Fills empty tables from such files. Rows are inserted into a temporary table, whose partitions are then moved:
 * inserting them directly would count them in the rollups again.
 * @param counts the rows of each file
 * @param partBytes approximate size of one insert, which the embedded engine takes as one string
 */
export async function importClickHouse(
  clickhouse: ClickHouseClient,
  folder: string,
  counts: RowCounts,
  partBytes = 2 ** 25,
): Promise<void> {
  for (const [name, rows] of Object.entries(counts)) {
    const [table] = name.split('.')
    const staging = `${table}_restored`
    await clickhouse.command({ query: `CREATE OR REPLACE TABLE ${staging} AS ${table}` })
    // A merge would sum rows and drop those that have expired since the backup.
    await clickhouse.command({ query: `SYSTEM STOP MERGES ${staging}` })
    const insert = `INSERT INTO ${staging} SETTINGS ${insertSettings} FORMAT TabSeparatedWithNames`
    const store = async (text: AsyncIterable<Buffer>) => {
      for await (const part of splitAtLines(text, partBytes)) await insertText(clickhouse, insert, [part])
    }
    await pipeline(createReadStream(join(folder, name + extension)), createZstdDecompress(), store)
    const stored = await selectRow<{ rows: string }>(clickhouse, `SELECT count() AS rows FROM ${staging}`)
    checkRows(name, rows, Number(stored.rows))
    for (const { id } of await partitionsOf(clickhouse, 'table = {staging: String}', { staging }))
      await clickhouse.command({ query: `ALTER TABLE ${staging} MOVE PARTITION ID '${id}' TO TABLE ${table}` })
    await clickhouse.command({ query: `DROP TABLE ${staging}` })
  }
}

const partitionsOf = (clickhouse: ClickHouseClient, condition: string, params: Record<string, unknown> = {}) =>
  selectRows<{ table: string; id: string }>(
    clickhouse,
    `SELECT DISTINCT table, partition_id AS id FROM system.parts
      WHERE database = currentDatabase() AND active AND rows > 0 AND ${condition} ORDER BY table, id`,
    params,
  )

/** Splits text into parts of whole lines, each starting with the text's first line, the column headers. */
async function* splitAtLines(chunks: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let header: Buffer | undefined
  let pending: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    pending.push(chunk)
    bytes += chunk.length
    if (bytes < partBytes || !chunk.includes('\n')) continue
    const text = Buffer.concat(pending)
    header ??= text.subarray(0, text.indexOf('\n') + 1)
    const end = text.lastIndexOf('\n') + 1
    yield text.subarray(0, end)
    pending = [header, text.subarray(end)]
    bytes = text.length - end
  }
  if (bytes > 0) yield Buffer.concat(pending)
}
