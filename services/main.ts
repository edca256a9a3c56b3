import { readConfig, type Role } from '#core/config.ts'
import { addHealthRoutes, createHttpServer, type ReadinessChecks } from '#core/http-server.ts'
import { Lifecycle } from '#core/lifecycle.ts'
import { createLogger } from '#core/logger.ts'
import { createMetrics, serveMetrics } from '#core/metrics.ts'
import type { QueueRedis, QueueShards } from '#core/queue-shards.ts'
import {
  openClickHouse,
  openPostgres,
  openQueueConsumer,
  openQueueProducer,
  openQueueShards,
  openStateRedis,
  openStateSubscriber,
  statePatienceMs,
} from '#core/resources.ts'

const config = readConfig()
const logger = createLogger(config)
const lifecycle = new Lifecycle(logger)
const checks: ReadinessChecks = {}
const metrics = createMetrics()
const app = createHttpServer(config, logger)

/** A role is loaded only where it runs: that of the screens alone is 80 MB and two seconds of a start. */
const has = (...roles: Role[]) => roles.some((role) => config.roles.includes(role))

/** Registers how a Redis connection is closed and checked; its errors are expected while the server is away. */
function manage<Client extends QueueRedis>(name: string, redis: Client): Client {
  redis.on('error', (error) => logger.warn({ err: error }, `${name} can not be reached`))
  lifecycle.onStop(name, () => redis.disconnect())
  checks[name] = () => redis.ping()
  return redis
}

/** The first server of the queue has the name that it has where it is the only one. */
function manageQueue(shards: QueueShards): QueueShards {
  const servers = new Set(shards.map(({ redis }) => redis))
  for (const [index, redis] of [...servers].entries())
    manage(index === 0 ? 'redis-queue' : `redis-queue-${index}`, redis)
  return shards
}

const sql = openPostgres(config, config.roles.join('-'))
lifecycle.onStop('postgres', () => sql.end({ timeout: 5 }))
checks.postgres = () => sql`select 1`

if (has('proxy')) {
  const { addProxyRole } = await import('./proxy/role.ts')
  const stateSubscriber = openStateSubscriber(config)
  stateSubscriber.on('error', () => undefined)
  lifecycle.onStop('redis-state subscriber', () => stateSubscriber.disconnect())
  const state = manage('redis-state', openStateRedis(config, statePatienceMs.request))
  const queue = manageQueue(openQueueShards(config, openQueueProducer))
  await addProxyRole(app, { sql, state, stateSubscriber, queue }, config, lifecycle, logger, metrics)
}

if (has('api', 'worker')) {
  const clickhouse = await openClickHouse(config)
  lifecycle.onStop('clickhouse', () => clickhouse.close())
  checks.clickhouse = async () => {
    const ping = await clickhouse.ping()
    if (!ping.success) throw ping.error
  }
  if (has('api')) {
    const { addApiRole } = await import('./api/role.ts')
    const state = manage('redis-state', openStateRedis(config, statePatienceMs.person))
    const queue = manageQueue(openQueueShards(config, openQueueProducer))
    await addApiRole(app, { sql, clickhouse, state, queue }, config, lifecycle, logger, metrics)
  }
  if (has('worker')) {
    const { startWorkerRole } = await import('./worker/role.ts')
    const state = manage('redis-state', openStateRedis(config, statePatienceMs.person))
    const queue = manageQueue(openQueueShards(config, openQueueConsumer))
    startWorkerRole({ sql, clickhouse, state, queue }, config, lifecycle, logger, metrics)
  }
}

addHealthRoutes(app, checks)
lifecycle.onStop('http server', () => app.close())

async function stop(): Promise<void> {
  await lifecycle.stop()
  process.exit(0)
}
process.once('SIGTERM', () => void stop())
process.once('SIGINT', () => void stop())

try {
  if (config.metricsPort) {
    const stopMetrics = await serveMetrics(metrics, { host: config.host, port: config.metricsPort })
    lifecycle.onStop('metrics', stopMetrics)
  }
  await app.listen({ host: config.host, port: config.port })
  logger.info({ host: config.host, port: config.port }, 'listening')
} catch (error) {
  logger.fatal({ err: error }, 'could not start')
  await lifecycle.stop()
  process.exit(1)
}
