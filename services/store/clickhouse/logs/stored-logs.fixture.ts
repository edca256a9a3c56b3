import { v7 as uuidv7 } from 'uuid'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { selectRow } from '../clickhouse-rows.ts'
import { toRows } from './request-log-rows.ts'
import { createRequestLogStore } from './request-logs.ts'

/** Stores events as a worker does. */
export const storeEvents = (clickhouse: ClickHouseClient, events: readonly RequestEvent[]): Promise<void> =>
  createRequestLogStore(clickhouse, { logRetentionDays: 90 }).insert([toRows(events)], uuidv7())

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
