/**
 * The log pipeline as a whole, for Prometheus: what no single process can tell. One of it is enough; the processes'
 * own metrics are at their METRICS_PORT.
 */
import { once } from 'node:events'
import { readConfig } from '#core/config.ts'
import { createLogger } from '#core/logger.ts'
import { createMetrics, serveMetrics } from '#core/metrics.ts'
import { openClickHouse, openQueueProducer } from '#core/resources.ts'
import { createPipelineStore } from '#store/pipeline.ts'
import { registerPipelineMetrics } from './pipeline-metrics.ts'

const config = readConfig()
const logger = createLogger(config)
const redis = openQueueProducer(config)
redis.on('error', (error) => logger.warn({ err: error }, 'redis-queue can not be reached'))
const clickhouse = await openClickHouse(config)
const metrics = createMetrics()
registerPipelineMetrics(metrics, createPipelineStore(clickhouse, redis))
const stopMetrics = await serveMetrics(metrics, { host: config.host, port: config.metricsPort ?? config.port })
logger.info({ host: config.host, port: config.metricsPort ?? config.port }, 'listening')

const stopSignal = new AbortController()
process.once('SIGTERM', () => stopSignal.abort()).once('SIGINT', () => stopSignal.abort())
await once(stopSignal.signal, 'abort')
await stopMetrics()
redis.disconnect()
await clickhouse.close()
