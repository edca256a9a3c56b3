import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { ClickHouseClient } from '#core/resources.ts'
import { selectRows } from '#store/clickhouse-rows.ts'

const extension = '.tsv.zst'

/** Times are written as ISO 8601; rows of years may come in one block; nothing is a repetition. */
const insertSettings =
  "date_time_input_format = 'best_effort', max_partitions_per_insert_block = 0, insert_deduplicate = 0"

/** Copies each table that has rows into a file, through the same HTTP interface as everything else. */
export async function exportClickHouse(clickhouse: ClickHouseClient, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const tables = await selectRows<{ name: string }>(
    clickhouse,
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
      AND total_rows > 0 AND name != 'schema_migrations' ORDER BY name`,
  )
  for (const { name } of tables) {
    const { stream } = await clickhouse.exec({
      query: `SELECT * FROM ${name} FORMAT TabSeparatedWithNames`,
      // An error in the middle would else arrive as the last rows of an answer that seemed to be fine.
      clickhouse_settings: { wait_end_of_query: 1 },
    })
    await pipeline(stream as Readable, createZstdCompress(), createWriteStream(join(folder, `${name}${extension}`)))
  }
}

/**
 * Fills empty tables from such files. The rows arrive in a table beside, and are moved in as they are: an insert would
 * be counted once more by the rollups that follow it.
 */
export async function importClickHouse(clickhouse: ClickHouseClient, folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    const table = file.slice(0, -extension.length)
    const beside = `${table}_restored`
    await clickhouse.command({ query: `CREATE OR REPLACE TABLE ${beside} AS ${table}` })
    const rows = createReadStream(join(folder, file)).pipe(createZstdDecompress())
    const { stream } = await clickhouse.exec({
      query: `INSERT INTO ${beside} SETTINGS ${insertSettings} FORMAT TabSeparatedWithNames`,
      values: rows,
    })
    await finished((stream as Readable).resume())
    const partitions = await selectRows<{ id: string }>(
      clickhouse,
      `SELECT DISTINCT partition_id AS id FROM system.parts
        WHERE database = currentDatabase() AND table = {beside: String} AND active`,
      { beside },
    )
    for (const { id } of partitions)
      await clickhouse.command({ query: `ALTER TABLE ${beside} MOVE PARTITION ID '${id}' TO TABLE ${table}` })
    await clickhouse.command({ query: `DROP TABLE ${beside}` })
  }
}
