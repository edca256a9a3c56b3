/** The event worker alone, on REDIS_QUEUE_URL and CLICKHOUSE_URL. */
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { openClickHouse } from '#core/stores/clickhouse.ts'
import { createDeletedAccountStore } from '#store/clickhouse/deleted-accounts.ts'
import { createRequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import { createUsageMetrics } from '#worker/ingest/usage-metrics.ts'
import { startEventWorker } from '#worker/ingest/worker.ts'
import { required } from '#tools/process/required.ts'

const clickhouse = await openClickHouse({ clickhouseUrl: process.env['CLICKHOUSE_URL'], dataDir: '' })
startEventWorker({
  shards: [
    {
      redis: openQueueConsumer({ redisQueueUrl: required(process.env['REDIS_QUEUE_URL'], 'REDIS_QUEUE_URL') }),
      tag: '',
    },
  ],
  logs: createRequestLogStore(clickhouse, { logRetentionDays: 90 }),
  deletedAccounts: createDeletedAccountStore(clickhouse, { clickhouseCluster: undefined }),
  accountDeletions: { due: async () => [], accountExists: async () => false, complete: async () => undefined },
  accountState: { removeAll: async () => undefined },
  usage: createUsageMetrics(new Registry()),
  logger: pino({ level: 'warn' }),
})
console.log('ready')
