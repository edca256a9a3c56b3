import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, readConfig, type Role } from '#core/config.ts'
import { closeServer, createHttpServer } from '#core/http-server.ts'
import { Lifecycle } from '#core/lifecycle.ts'
import { createLogger } from '#core/logger.ts'
import { createMetrics, serveMetrics } from '#core/metrics.ts'
import { joinProcessGroup, ProcessGroup } from '#core/process-group.ts'
import { createProcessLimits, logRejections } from '#core/process-limits.ts'
import type { QueueRedis, QueueShards } from '#core/queue-shards.ts'
import { addHealthRoutes, Readiness } from '#core/readiness.ts'
import { divideLimits } from '#core/resource-limits.ts'
import {
  openClickHouse,
  openPostgres,
  openQueueConsumer,
  openQueueProducer,
  openQueueShards,
  openStateRedis,
  openStateSubscriber,
  type Redis,
  statePatienceMs,
} from '#core/resources.ts'
import { second } from '#core/units.ts'

const config = readConfig()
const logger = createLogger(config)
const lifecycle = new Lifecycle(logger)
const metrics = createMetrics()

/** A part that forgot to handle an error of its own must not take the requests of others with it. */
process.on('unhandledRejection', (error) => logger.error({ err: error }, 'an error was not handled'))

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(0))

try {
  if (cluster.isPrimary && config.proxyProcesses > 1) await runGroup()
  else await runRoles(cluster.isWorker ? shareOfGroup(config) : config)
} catch (error) {
  logger.fatal({ err: error }, 'could not start')
  await stop(1)
}

async function stop(exitCode: number): Promise<never> {
  await lifecycle.stop()
  process.exit(exitCode)
}

/** Several processes of this program on one port; this one only looks after them. */
async function runGroup(): Promise<void> {
  const group = new ProcessGroup({ size: config.proxyProcesses, metrics, logger })
  await addMetricsServer(() => group.readMetrics())
  const limitMs = config.drainDelayMs + config.drainMs + 60 * second
  lifecycle.onStop('processes', () => group.stop(), limitMs)
  group.start()
  await group.failed
}

/** The metrics are there to the end of a stop, so that what it cuts off is told. */
async function addMetricsServer(read: () => Promise<string>): Promise<void> {
  const { host, metricsPort } = config
  if (metricsPort) lifecycle.onStop('metrics', await serveMetrics(read, { host, port: metricsPort }))
}

/** What one process of the group may use of what is configured for all of them. */
function shareOfGroup({ proxyProcesses, ...all }: Config): Config {
  return {
    ...all,
    proxyProcesses,
    resourceLimits: divideLimits(all.resourceLimits, proxyProcesses),
    spoolMaxBytes: Math.floor(all.spoolMaxBytes / proxyProcesses),
  }
}

/** A role is loaded only where it runs: that of the screens alone is 80 MB and two seconds of a start. */
async function runRoles(own: Config): Promise<void> {
  const has = (...roles: Role[]) => roles.some((role) => own.roles.includes(role))
  const readiness = new Readiness()
  const app = createHttpServer(own, logger)
  if (!cluster.isWorker) await addMetricsServer(() => metrics.metrics())
  const limits = createProcessLimits(own.resourceLimits, metrics)
  lifecycle.onStop('limits', logRejections(limits, logger))
  const { manageState, manageQueue } = createRedisManagement(readiness)

  const sql = openPostgres(own, own.roles.join('-'))
  lifecycle.onStop('postgres', () => sql.end({ timeout: 5 }))
  readiness.add('postgres', () => sql`select 1`)

  if (has('proxy')) {
    const { addProxyRole } = await import('./proxy/role.ts')
    const subscriber = openStateSubscriber(own)
    subscriber.on('error', () => undefined)
    lifecycle.onStop('redis-state subscriber', () => subscriber.disconnect())
    const openState = () => manageState(openStateRedis(own, statePatienceMs.request))
    const redis = { limiter: openState(), cache: openState(), keyHealth: openState(), subscriber }
    const queue = manageQueue(openQueueShards(own, openQueueProducer))
    await addProxyRole(app, { sql, redis, queue, limits }, own, lifecycle, logger, metrics)
  }

  if (has('api', 'worker')) {
    const clickhouse = await openClickHouse(own)
    lifecycle.onStop('clickhouse', () => clickhouse.close())
    readiness.add('clickhouse', async () => {
      const ping = await clickhouse.ping()
      if (!ping.success) throw ping.error
    })
    if (has('api')) {
      const { addApiRole } = await import('./api/role.ts')
      const state = manageState(openStateRedis(own, statePatienceMs.person))
      const queue = manageQueue(openQueueShards(own, openQueueProducer))
      await addApiRole(app, { sql, clickhouse, state, queue, limits }, own, lifecycle, logger, metrics)
    }
    if (has('worker')) {
      const { startWorkerRole } = await import('./worker/role.ts')
      const state = manageState(openStateRedis(own, statePatienceMs.person))
      const queue = manageQueue(openQueueShards(own, openQueueConsumer))
      startWorkerRole({ sql, clickhouse, state, queue }, own, lifecycle, logger, metrics)
    }
  }

  const group = cluster.isWorker ? joinProcessGroup(metrics, readiness) : undefined
  addHealthRoutes(app, readiness, group?.groupNeeds)
  const limitMs = own.drainDelayMs + own.drainMs + 10 * second
  lifecycle.onStop('http server', () => drain(readiness, app), limitMs)
  await app.listen({ host: own.host, port: own.port })
  logger.info({ host: own.host, port: own.port }, 'listening')
}

/** Lets balancers notice, then waits for what is under way. */
async function drain(readiness: Readiness, app: ReturnType<typeof createHttpServer>): Promise<void> {
  readiness.isDraining = true
  await sleep(config.drainDelayMs)
  await closeServer(app, config.drainMs, () => lifecycle.cut())
}

/** How connections to a Redis are closed and checked; their errors are expected while the server is away. */
function createRedisManagement(readiness: Readiness) {
  function manage<Client extends QueueRedis>(name: string, redis: Client): Client {
    redis.on('error', (error) => logger.warn({ err: error }, `${name} can not be reached`))
    lifecycle.onStop(name, () => redis.disconnect())
    readiness.addRedis(name, redis)
    return redis
  }
  return {
    manageState: (redis: Redis): Redis => manage('redis-state', redis),
    /** The first server of the queue has the name that it has where it is the only one. */
    manageQueue(shards: QueueShards): QueueShards {
      const servers = new Set(shards.map(({ redis }) => redis))
      for (const [index, redis] of [...servers].entries())
        manage(index === 0 ? 'redis-queue' : `redis-queue-${index}`, redis)
      return shards
    },
  }
}
