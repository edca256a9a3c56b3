import type { FastifyInstance } from 'fastify'
import { cachedFor } from '#core/cached-for.ts'
import { FairQueue } from '#core/limits/fair-queue.ts'
import { second } from '#core/units.ts'
import { createAnalyticsStore } from '#store/clickhouse/analytics/analytics.ts'
import { createChangeStore } from '#store/clickhouse/analytics/changes.ts'
import { createErrorGroupStore } from '#store/clickhouse/analytics/error-groups.ts'
import { createLogHistogramStore } from '#store/clickhouse/logs/log-histogram.ts'
import { createLogValuesStore } from '#store/clickhouse/logs/log-values.ts'
import { createPipelineStore, type PipelineStore } from '#store/clickhouse/pipeline.ts'
import { createRequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import type { UsageStore } from '#store/clickhouse/usage.ts'
import { readCredentialNames } from '#store/postgres/credentials/credential-names.ts'
import { createPreferencesStore } from '#store/postgres/preferences.ts'
import { createViewStore } from '#store/postgres/views.ts'
import { createDeadLetters } from '#store/redis/dead-letters.ts'
import { LogTail } from './logs/log-tail.ts'
import type { ApiContext } from './api-context.ts'
import { analyticsRoutes } from './routes/analytics.ts'
import { analyticsReasonsRoutes } from './routes/analytics-reasons.ts'
import { logExportRoutes } from './routes/logs/log-export.ts'
import { logFacetRoutes } from './routes/logs/log-facets.ts'
import { logTailRoutes } from './routes/logs/log-tail.ts'
import { pipelineRoutes } from './routes/pipeline.ts'
import { requestLogRoutes } from './routes/logs/request-logs.ts'
import { viewRoutes } from './routes/views.ts'

/** Parallel queries of logs and totals: of one account, and of all accounts. */
const parallelReads = { perAccount: 4, atOnce: 8 }

/** Request logs, analytics and the pipeline that delivers them. */
export async function addLogRoutes(
  app: FastifyInstance,
  { sql, clickhouse, queue, limits, config, lifecycle, logger, endWithCredential }: ApiContext,
  { usage }: { usage: UsageStore },
): Promise<void> {
  const logs = createRequestLogStore(clickhouse, config)
  const pipeline = createPipelineStore(clickhouse, queue)
  const deadLetters = createDeadLetters(queue)
  lifecycle.onStop('dead letters', () => deadLetters.close())

  const tail = new LogTail(logs, logger)
  await app.register(logTailRoutes, { tail, limit: limits.tails, endWithCredential })
  const reads = new FairQueue({ limit: limits.queries, ...parallelReads })
  const credentialNames = (accountId: string) => readCredentialNames(sql, accountId)
  await app.register(logExportRoutes, {
    logs,
    credentialNames,
    reads,
    exports: { limit: limits.exports, endWithCredential },
  })
  await app.register(async (reading) => {
    reading.addHook('onRoute', (route) => {
      route.config = { ...route.config, turns: reads }
    })
    const ingestWatermark = createIngestWatermark(pipeline)
    const preferences = createPreferencesStore(sql)
    await reading.register(requestLogRoutes, { logs, ingestWatermark })
    await reading.register(logFacetRoutes, {
      histogram: createLogHistogramStore(clickhouse, logs),
      values: createLogValuesStore(clickhouse, logs),
      preferences,
    })
    await reading.register(analyticsRoutes, {
      analytics: createAnalyticsStore(clickhouse, config),
      usage,
      preferences,
      ingestWatermark,
      rollupRetentionDays: config.rollupRetentionDays,
    })
    await reading.register(analyticsReasonsRoutes, {
      errorGroups: createErrorGroupStore(clickhouse),
      changes: createChangeStore(clickhouse),
      logs,
    })
  })
  await app.register(viewRoutes, { views: createViewStore(sql) })
  await app.register(pipelineRoutes, { pipeline, deadLetters })
}

/**
 * The time before which every finished request is stored, queried at most once a second. While the queue's Redis is
 * unavailable, the last watermark is returned, because it stays valid; `null` before the first one.
 */
function createIngestWatermark(pipeline: PipelineStore): () => Promise<string | null> {
  let watermark: string | null = null
  return cachedFor(second, async () => {
    watermark = await pipeline.ingestWatermark().catch(() => watermark)
    return watermark
  })
}
