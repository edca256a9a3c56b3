import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { textLiteral } from '../sql-literals.ts'
import { selectRow, selectRows } from '../clickhouse-rows.ts'

export type LogArchive = ReturnType<typeof createLogArchive>

/**
 * Copies request logs to Parquet files, one per day, written by ClickHouse itself. Bodies and headers are left out.
 * @param url `file:///folder` on the ClickHouse server, or `https://key:secret@bucket/prefix` in an S3 store
 */
export const createLogArchive = (clickhouse: ClickHouseClient, url: string) => ({
  /** Days (UTC, such as `2026-08-25`) before the given one, oldest first, with their numbers of logs. */
  daysBefore: (day: string): Promise<{ day: string; rows: number }[]> =>
    selectRows(
      clickhouse,
      `SELECT toString(toDate(created_at)) AS day, count() AS rows FROM request_logs
      WHERE created_at < toDateTime64({day: String}, 3, 'UTC') GROUP BY day ORDER BY day`,
      { day },
    ),

  /** @returns the number of logs in the file of a day; 0 without one that can be read */
  async rowsIn(day: string): Promise<number> {
    try {
      return (await selectRow<{ rows: number }>(clickhouse, `SELECT count() AS rows FROM ${fileOf(url, day)}`)).rows
    } catch {
      return 0
    }
  },

  /** Replaces an existing file. */
  async write(day: string): Promise<void> {
    await clickhouse.command({
      query: `INSERT INTO FUNCTION ${fileOf(url, day)}
      SELECT * EXCEPT (search) FROM request_logs
      WHERE created_at >= toDateTime64({day: String}, 3, 'UTC') AND created_at < toDateTime64({day: String}, 3, 'UTC') + INTERVAL 1 DAY
      SETTINGS engine_file_truncate_on_insert = 1, s3_truncate_on_insert = 1`,
      query_params: { day },
    })
  },
})

/** The file of a day as a table function. */
function fileOf(url: string, day: string): string {
  const { protocol, username, password, origin, pathname } = new URL(url)
  const path = `${pathname.replace(/\/$/, '')}/request_logs-${day}.parquet`
  if (protocol === 'file:') return `file(${textLiteral(decodeURIComponent(path))}, 'Parquet')`
  // A URL without credentials is for a store with public writes, or for a ClickHouse with its own credentials.
  const credentials = username ? [username, password].map((part) => textLiteral(decodeURIComponent(part))) : []
  return `s3(${[textLiteral(origin + path), ...credentials, textLiteral('Parquet')].join(', ')})`
}
