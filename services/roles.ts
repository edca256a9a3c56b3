import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config, Role, TracesConfig } from '#core/config.ts'
import { joinProcessGroup } from '#core/process/group-member.ts'
import { closeServer, createHttpServer } from '#core/http/http-server.ts'
import type { Logger } from '#core/logger.ts'
import { occasionalWarning } from '#core/occasional-warning.ts'
import { createProcessLimits, logRejections } from '#core/limits/process-limits.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import { collectGarbage } from '#core/process/collect-garbage.ts'
import { addHealthRoutes, type Health } from '#core/process/health.ts'
import { addProcessMetrics } from '#core/process/metrics.ts'
import type { ProcessParts } from '#core/process/process-parts.ts'
import { Readiness } from '#core/process/readiness.ts'
import { Startup } from '#core/process/startup.ts'
import {
  openQueueConsumer,
  openQueueProducer,
  openQueueShards,
  openStateRedis,
  openStateSubscriber,
  statePatienceMs,
} from '#core/redis/connections.ts'
import type { Redis } from '#core/redis/redis.ts'
import { openPostgres, requireWritablePostgres } from '#core/stores/postgres.ts'
import { second } from '#core/units.ts'
import { requireMasterKeys } from '#store/postgres/credentials/master-key-check.ts'
import { createSealedSecretStore } from '#store/postgres/credentials/sealed-secrets.ts'
import { requireClickHouseSchema, requirePostgresSchema } from '#store/schema-check.ts'
import { evictionSettings, volatileSettings } from '#store/redis/queue-durability.ts'
import { requireClickHouseVersion, requirePostgresVersion, requireRedisVersion } from '#store/versions.ts'

const transitMs = second / 5

/** Imports a role only where it runs, because the API alone takes 50 MB and a second at startup. */
export async function runRoles(config: Config, parts: ProcessParts): Promise<void> {
  const { lifecycle, logger, metrics } = parts
  const has = (...roles: Role[]) => roles.some((role) => config.roles.includes(role))
  const readiness = new Readiness()
  const startup = new Startup(readiness, logger)
  const app = createHttpServer(config, logger)
  addProcessMetrics(metrics, app.openConnections, readiness)
  const limits = createProcessLimits(config.resourceLimits, metrics)
  lifecycle.onStop('limits', logRejections(limits, logger))
  const { manageState, manageSubscriber, manageQueue } = createRedisManagement(readiness, startup, parts)

  const sql = openPostgres(config, config.roles.join('-'))
  lifecycle.onStop('postgres', () => sql.end({ timeout: 5 }))
  readiness.add('postgres', () => (has('api', 'worker') ? requireWritablePostgres(sql) : sql`select 1`))
  startup.add('postgres', () => requirePostgresVersion(sql))
  startup.add('postgres', () => requirePostgresSchema(sql))
  startup.add('MASTER_KEYS', () => requireMasterKeys(createSealedSecretStore(sql), config))

  const tracer = config.traces && (await openTracer(config, config.traces, parts))
  if (has('proxy')) {
    const { addProxyRole } = await import('./proxy/role.ts')
    const subscriber = manageSubscriber(openStateSubscriber(config))
    const openState = (patienceMs: number) => manageState(openStateRedis(config, patienceMs))
    const { request, late } = statePatienceMs
    const redis = { limiter: openState(late), cache: openState(request), keyHealth: openState(request), subscriber }
    const queue = manageQueue(openQueueShards(config, openQueueProducer))
    const resources = { sql, redis, queue, limits, tracer }
    const { requireSpool } = await addProxyRole(app, resources, config, parts)
    readiness.addOwn('spool', requireSpool)
  }

  if (has('api', 'worker')) {
    const { openClickHouse } = await import('#core/stores/clickhouse.ts')
    const clickhouse = await openClickHouse(config)
    lifecycle.onStop('clickhouse', () => clickhouse.close())
    readiness.add('clickhouse', async () => {
      const ping = await clickhouse.ping()
      if (!ping.success) throw ping.error
    })
    startup.add('clickhouse', () => requireClickHouseVersion(clickhouse))
    startup.add('clickhouse', () => requireClickHouseSchema(clickhouse))
    if (has('api')) {
      const { addApiRole } = await import('./api/role.ts')
      const state = manageState(openStateRedis(config, statePatienceMs.user))
      const subscriber = manageSubscriber(openStateSubscriber(config))
      const queue = manageQueue(openQueueShards(config, openQueueProducer))
      const resources = { sql, clickhouse, state, subscriber, queue, limits, tracer }
      await addApiRole(app, resources, config, parts)
    }
    if (has('worker')) {
      const { startWorkerRole } = await import('./worker/role.ts')
      const state = manageState(openStateRedis(config, statePatienceMs.user))
      const queue = manageQueue(openQueueShards(config, openQueueConsumer))
      startup.add('settings of Redis', () => warnOfSettings({ queue, state }, logger))
      await startWorkerRole({ sql, clickhouse, state, queue, limits, tracer }, config, parts)
    }
  }

  const readHealth = async (): Promise<Health> => {
    const { needs, isReady } = await readiness.check()
    return { problems: [...startup.problems], needs, isReady }
  }
  const group = cluster.isWorker ? joinProcessGroup(metrics, readHealth) : undefined
  addHealthRoutes(app, () => readiness.isDraining, group?.groupHealth ?? readHealth)

  async function drain(): Promise<void> {
    readiness.isDraining = true
    // Meanwhile, load balancers notice, and connections in transit arrive.
    await sleep(config.drainDelayMs + (group ? transitMs : 0))
    group?.leave()
    await closeServer(app, config.drainMs, () => lifecycle.cut())
  }

  lifecycle.onStop('http server', drain, config.drainDelayMs + config.drainMs + 10 * second)
  // Now, because no request has to wait for it.
  collectGarbage()
  // The primary passes connections to a member, which listens on its own port only so that Node tracks them.
  const address = group ? { host: '127.0.0.1', port: 0, exclusive: true } : { host: config.host, port: config.port }
  await app.listen(address)
  group?.takeConnections(app.server)
  logger.info(address, 'listening')
  lifecycle.onStop('startup', () => startup.stop())
  if (!(await startup.run())) return
  group?.noteStarted()
  logger.info('started')
}

/** Only warnings, because some servers are durable by other means, such as replicas. */
async function warnOfSettings({ queue, state }: { queue: QueueShards; state: Redis }, logger: Logger): Promise<void> {
  try {
    const queueSettings = await volatileSettings(queue)
    if (queueSettings.length > 0)
      logger.warn(
        { settings: queueSettings },
        'the queue Redis may lose logs: set appendonly yes, appendfsync always and maxmemory-policy noeviction',
      )
    const stateSettings = await evictionSettings(state)
    if (stateSettings.length > 0)
      logger.warn({ settings: stateSettings }, 'the state Redis may forget limits: set maxmemory-policy noeviction')
  } catch (error) {
    logger.debug({ err: error }, 'the settings of Redis could not be read')
  }
}

/** Imports OpenTelemetry only if traces are enabled, because it has 300 modules. */
async function openTracer({ roles }: Config, traces: TracesConfig, { lifecycle, logger }: ProcessParts) {
  const { createTracing } = await import('#core/tracing.ts')
  const { tracer, close } = createTracing(traces, roles, logger)
  lifecycle.onStop('traces', close)
  return tracer
}

function createRedisManagement(readiness: Readiness, startup: Startup, { lifecycle, logger }: ProcessParts) {
  function manage<Client extends Redis>(name: string, redis: Client): Client {
    const warn = occasionalWarning(logger, `${name} cannot be reached`)
    redis.on('error', (error) => warn({ err: error }))
    lifecycle.onStop(name, () => redis.disconnect())
    readiness.addRedis(name, redis)
    startup.add(name, () => requireRedisVersion(redis))
    return redis
  }
  return {
    manageState: (redis: Redis): Redis => manage('redis-state', redis),
    /** Adds no readiness check, because all caches are invalidated after an interruption anyway. */
    manageSubscriber(redis: Redis): Redis {
      redis.on('error', () => undefined)
      lifecycle.onStop('redis-state subscriber', () => redis.disconnect())
      return redis
    },
    /** The first server is named `redis-queue`, whether or not there are others. */
    manageQueue(shards: QueueShards): QueueShards {
      const servers = new Set(shards.map(({ redis }) => redis))
      for (const [index, redis] of [...servers].entries())
        manage(index === 0 ? 'redis-queue' : `redis-queue-${index}`, redis)
      return shards
    },
  }
}
