import type { Config } from '#core/config.ts'
import type { Logger } from '#core/logger.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { minuteRetentionDays } from './analytics/analytics.ts'
import { selectRows } from './clickhouse-rows.ts'
import { alterTarget } from './cluster-sql.ts'

export type RetentionConfig = Pick<
  Config,
  'logRetentionDays' | 'bodyRetentionDays' | 'rollupRetentionDays' | 'clickhouseCluster'
>

export const defaultRetention: RetentionConfig = {
  logRetentionDays: 90,
  bodyRetentionDays: 90,
  rollupRetentionDays: 400,
  clickhouseCluster: undefined,
}

/** Sets the TTL of every table. A change rewrites only metadata (`materialize_ttl_recalculate_only`), not the parts. */
export async function applyRetention(clickhouse: ClickHouseClient, config: RetentionConfig, logger: Logger) {
  const { logRetentionDays, bodyRetentionDays, rollupRetentionDays, clickhouseCluster } = config
  const wanted = [
    { table: 'request_logs', column: 'toDateTime(created_at)', days: logRetentionDays },
    { table: 'request_details', column: 'toDateTime(created_at)', days: bodyRetentionDays },
    { table: 'usage_minute', column: 'bucket', days: minuteRetentionDays },
    { table: 'usage_quarter_hour', column: 'bucket', days: rollupRetentionDays },
    { table: 'usage_series', column: 'bucket', days: rollupRetentionDays },
    { table: 'latency_minute', column: 'bucket', days: minuteRetentionDays },
    { table: 'latency_quarter_hour', column: 'bucket', days: rollupRetentionDays },
    { table: 'latency_day', column: 'bucket', days: rollupRetentionDays },
  ]
  for (const { table, column, days } of wanted) {
    const name = clickhouseCluster ? `${table}_shard` : table
    const [row] = await selectRows<{ engine: string }>(
      clickhouse,
      'SELECT engine_full AS engine FROM system.tables WHERE database = currentDatabase() AND name = {name: String}',
      { name },
    )
    if (row?.engine.includes(`TTL ${column} + toIntervalDay(${days})`)) continue
    await clickhouse.command({
      query: `ALTER TABLE ${alterTarget(table, clickhouseCluster)} MODIFY TTL ${column} + toIntervalDay(${days})`,
    })
    logger.info({ table, days }, 'retention applied')
  }
}
