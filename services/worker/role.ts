import type { Config } from '#core/config.ts'
import type { Lifecycle } from '#core/process/lifecycle.ts'
import type { ProcessParts } from '#core/process/process-parts.ts'
import { type ClickHouseClient, openClickHouse } from '#core/stores/clickhouse.ts'
import { storePatienceMs } from '#core/stores/patience.ts'
import { createAccountStateStore } from '#store/redis/account-state.ts'
import { createDeletedAccountStore } from '#store/clickhouse/deleted-accounts.ts'
import { createAccountDeletionStore } from '#store/postgres/account-deletions.ts'
import { createPipelineStore } from '#store/clickhouse/pipeline.ts'
import { createRequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import { startJobs } from './jobs/jobs.ts'
import { addPipelineMetrics, createInsertMetrics } from './ingest/metrics.ts'
import { createUsageMetrics } from './ingest/usage-metrics.ts'
import { startEventWorker } from './ingest/worker.ts'
import type { WorkerResources } from './worker-resources.ts'

/** Background work: logs into ClickHouse, mails, alerts and their webhooks, account deletions, plan expiry. */
export async function startWorkerRole(resources: WorkerResources, config: Config, parts: ProcessParts): Promise<void> {
  const { sql, clickhouse, state, queue, tracer } = resources
  const { lifecycle, logger, metrics } = parts
  addPipelineMetrics(metrics, createPipelineStore(clickhouse, queue))
  const measureInsert = createInsertMetrics(metrics)
  // Imports OpenTelemetry only if traces are enabled.
  const traceInsert = tracer && (await import('./ingest/trace-inserts.ts')).traceInserts(tracer)
  const worker = startEventWorker({
    shards: queue,
    logs: createRequestLogStore(clickhouse, config),
    deletedAccounts: createDeletedAccountStore(clickhouse, config, await openPatient(config, lifecycle)),
    accountDeletions: createAccountDeletionStore(sql),
    accountState: createAccountStateStore(state),
    onInsert(result) {
      measureInsert(result)
      traceInsert?.(result)
    },
    usage: createUsageMetrics(metrics, config),
    logger,
  })
  lifecycle.onStop('worker', () => worker.stop())
  const jobs = await startJobs(resources, config, parts)
  lifecycle.onStop('jobs', () => jobs.stop())
}

/** @returns undefined for chDB, where commands have no time limit */
async function openPatient(config: Config, lifecycle: Lifecycle): Promise<ClickHouseClient | undefined> {
  if (config.clickhouseUrl === undefined) return undefined
  const patient = await openClickHouse(config, storePatienceMs.maintenance)
  lifecycle.onStop('clickhouse for removals', () => patient.close())
  return patient
}
