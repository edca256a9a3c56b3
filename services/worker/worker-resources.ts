import type { Tracer } from '@opentelemetry/api'
import type { ProcessLimits } from '#core/limits/process-limits.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import type { Redis } from '#core/redis/redis.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import type { Sql } from '#core/stores/postgres.ts'

export interface WorkerResources {
  sql: Sql
  clickhouse: ClickHouseClient
  /** Stores what tokens have spent; proxies listen here for changes of accounts. */
  state: Redis
  queue: QueueShards
  limits: Pick<ProcessLimits, 'lookups'>
  /** Undefined if traces are disabled. */
  tracer?: Tracer | undefined
}
