import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { selectRow } from '../clickhouse-rows.ts'

interface StoredLogs {
  rows: number
  unique: number
  rollup: number
}

/** All three counts are equal if no log is lost or stored twice. */
export function countStored(clickhouse: ClickHouseClient, accountId: string): Promise<StoredLogs> {
  return selectRow<StoredLogs>(
    clickhouse,
    `SELECT count() AS rows, uniqExact(id) AS unique,
      (SELECT sum(requests) FROM usage_day WHERE account_id = {accountId: UUID}) AS rollup
    FROM request_logs WHERE account_id = {accountId: UUID}`,
    { accountId },
  )
}
