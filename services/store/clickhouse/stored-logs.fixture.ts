import type { ClickHouseClient } from '#core/resources.ts'
import { selectRow } from './clickhouse-rows.ts'

export interface StoredLogs {
  rows: number
  /** Different ids among them. */
  unique: number
  /** Requests in the daily rollup. */
  rollup: number
}

/** What ClickHouse holds of an account: all three are equal when nothing is lost or stored twice. */
export function countStored(clickhouse: ClickHouseClient, accountId: string): Promise<StoredLogs> {
  return selectRow<StoredLogs>(
    clickhouse,
    `SELECT count() AS rows, uniqExact(id) AS unique,
      (SELECT sum(requests) FROM usage_day WHERE account_id = {accountId: UUID}) AS rollup
    FROM request_logs WHERE account_id = {accountId: UUID}`,
    { accountId },
  )
}
