import { join } from 'node:path'
import { findFreePort } from '#tools/process/free-port.ts'
import { pino } from 'pino'
import type { Redis } from '#core/redis/redis.ts'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { type ClickHouseClient, openClickHouse } from '#core/stores/clickhouse.ts'
import { workerMemory } from '#deploy/docker/process-memory.ts'
import { findRedisServer, startRedis } from '#tools/launcher/stores/redis.ts'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import type { Histogram } from '#store/clickhouse/analytics/histogram.ts'
import { migrateClickHouse } from '#store/migrations.ts'
import type { BenchContext } from '#tools/bench/part.ts'
import { saysReady, startDaemon } from '#tools/bench/targets/daemon.ts'

/** The stores of the pipeline, each in its own process. */
export interface Run {
  context: BenchContext
  redisUrl: string
  redis: Redis
  clickhouseUrl: string
  clickhouse: ClickHouseClient
}

export async function startRun(context: BenchContext): Promise<Run> {
  const { supervisor, workDir, progress } = context
  const program = await progress.step('Redis server', () => findRedisServer(supervisor.run))
  const redisUrl = await startRedis(supervisor, { program, dataDir: workDir, instance: 'queue', password: 'bench' })
  const port = await findFreePort()
  await startDaemon(context, {
    name: 'ClickHouse',
    command: process.execPath,
    args: [join(import.meta.dirname, '../../stack/clickhouse-server.ts'), String(port), join(workDir, 'clickhouse')],
    env: {},
    ready: saysReady,
  })
  const clickhouseUrl = `http://127.0.0.1:${port}`
  const clickhouse = await openClickHouse({ clickhouseUrl, dataDir: workDir })
  await migrateClickHouse(clickhouse, pino({ level: 'silent' }))
  return { context, redisUrl, redis: openQueueConsumer({ redisQueueUrl: redisUrl }), clickhouseUrl, clickhouse }
}

/** Starts the event worker, unless an earlier phase did. @returns its process id */
export async function startWorker({ context, redisUrl, clickhouseUrl }: Run): Promise<number> {
  const running = context.pidOf('worker')
  if (running) return running
  return startDaemon(context, {
    name: 'worker',
    command: process.execPath,
    args: [join(import.meta.dirname, 'worker.ts')],
    env: { REDIS_QUEUE_URL: redisUrl, CLICKHOUSE_URL: clickhouseUrl, ...workerMemory },
    ready: saysReady,
  })
}

/** Events in the ingest rollup, and their lags, ms. */
export async function stored(run: Run): Promise<{ events: number; lags: Histogram }> {
  const query = 'SELECT sum(events) AS events, sumMap(lag_histogram) AS lags FROM ingest_minute'
  const [row] = await selectRows<{ events: number; lags: Histogram }>(run.clickhouse, query)
  return { events: Number(row?.events ?? 0), lags: row?.lags ?? {} }
}
