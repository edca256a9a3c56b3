import type { Tracer } from '@opentelemetry/api'
import type { Config } from '#core/config.ts'
import type { ProcessLimits } from '#core/limits/process-limits.ts'
import type { ProcessParts } from '#core/process/process-parts.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import type { Redis } from '#core/redis/redis.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import type { Sql } from '#core/stores/postgres.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import type { Vault } from '#shared/vault.ts'
import type { EndWithCredential } from './plugins/end-with-credential.ts'
import type { UrlCheck } from './credentials/url-check.ts'
import type { Throttle } from './sign-in/throttle.ts'

export interface ApiResources {
  sql: Sql
  clickhouse: ClickHouseClient
  state: Redis
  subscriber: Redis
  queue: QueueShards
  limits: ProcessLimits
  /** Undefined if traces are disabled. */
  tracer?: Tracer | undefined
}

/** Each area of the API builds its stores and services from this. */
export interface ApiContext extends ApiResources, Pick<ProcessParts, 'lifecycle' | 'logger'> {
  config: Config
  invalidate: Invalidate
  throttle: Throttle
  vault: Vault
  urls: UrlCheck
  endWithCredential: EndWithCredential
}
