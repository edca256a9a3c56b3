import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import type { Config, Role } from '#core/config.ts'
import { joinProcessGroup } from '#core/process/group-member.ts'
import { closeServer, createHttpServer } from '#core/http/http-server.ts'
import type { Lifecycle } from '#core/process/lifecycle.ts'
import type { Logger } from '#core/logger.ts'
import { createProcessLimits, logRejections } from '#core/limits/process-limits.ts'
import type { QueueRedis, QueueShards } from '#core/redis/queue-shards.ts'
import { addHealthRoutes, Readiness } from '#core/process/readiness.ts'
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
import { product } from '#schemas/product.ts'

/** How long a connection may be on its way to a member of a group. */
const handedOutMs = second / 5

interface ProcessParts {
  lifecycle: Lifecycle
  logger: Logger
  metrics: Registry
}

/** A role is loaded only where it runs: that of the screens alone is 80 MB and two seconds of a start. */
export async function runRoles(config: Config, { lifecycle, logger, metrics }: ProcessParts): Promise<void> {
  const has = (...roles: Role[]) => roles.some((role) => config.roles.includes(role))
  const readiness = new Readiness()
  const app = createHttpServer(config, logger, { providerErrorsPath: product.proxyPath })
  const limits = createProcessLimits(config.resourceLimits, metrics)
  lifecycle.onStop('limits', logRejections(limits, logger))
  const { manageState, manageSubscriber, manageQueue } = createRedisManagement(readiness, lifecycle, logger)

  const sql = openPostgres(config, config.roles.join('-'))
  lifecycle.onStop('postgres', () => sql.end({ timeout: 5 }))
  readiness.add('postgres', () => sql`select 1`)

  if (has('proxy')) {
    const { addProxyRole } = await import('./proxy/role.ts')
    const subscriber = manageSubscriber(openStateSubscriber(config))
    const openState = () => manageState(openStateRedis(config, statePatienceMs.request))
    const redis = { limiter: openState(), cache: openState(), keyHealth: openState(), subscriber }
    const queue = manageQueue(openQueueShards(config, openQueueProducer))
    await addProxyRole(app, { sql, redis, queue, limits }, config, lifecycle, logger, metrics)
  }

  if (has('api', 'worker')) {
    const clickhouse = await openClickHouse(config)
    lifecycle.onStop('clickhouse', () => clickhouse.close())
    readiness.add('clickhouse', async () => {
      const ping = await clickhouse.ping()
      if (!ping.success) throw ping.error
    })
    if (has('api')) {
      const { addApiRole } = await import('./api/role.ts')
      const state = manageState(openStateRedis(config, statePatienceMs.person))
      const subscriber = manageSubscriber(openStateSubscriber(config))
      const queue = manageQueue(openQueueShards(config, openQueueProducer))
      await addApiRole(app, { sql, clickhouse, state, subscriber, queue, limits }, config, lifecycle, logger, metrics)
    }
    if (has('worker')) {
      const { startWorkerRole } = await import('./worker/role.ts')
      const state = manageState(openStateRedis(config, statePatienceMs.person))
      const queue = manageQueue(openQueueShards(config, openQueueConsumer))
      startWorkerRole({ sql, clickhouse, state, queue }, config, lifecycle, logger, metrics)
    }
  }

  const group = cluster.isWorker ? joinProcessGroup(metrics, readiness) : undefined
  addHealthRoutes(app, readiness, group?.groupNeeds)

  /** Lets balancers notice, then waits for what is under way. */
  async function drain(): Promise<void> {
    readiness.isDraining = true
    // A member of a group waits until no more connections are handed to it.
    await sleep(config.drainDelayMs + (group ? handedOutMs : 0))
    await closeServer(app, config.drainMs, () => lifecycle.cut())
  }

  const limitMs = config.drainDelayMs + config.drainMs + 10 * second
  lifecycle.onStop('http server', drain, limitMs)
  // A member of a group is handed its connections; a port of its own makes Node keep count of them.
  const address = group ? { host: '127.0.0.1', port: 0, exclusive: true } : { host: config.host, port: config.port }
  await app.listen(address)
  group?.takeConnections(app.server)
  logger.info(address, 'listening')
}

/** How connections to a Redis are closed and checked; their errors are expected while the server is away. */
function createRedisManagement(readiness: Readiness, lifecycle: Lifecycle, logger: Logger) {
  function manage<Client extends QueueRedis>(name: string, redis: Client): Client {
    redis.on('error', (error) => logger.warn({ err: error }, `${name} can not be reached`))
    lifecycle.onStop(name, () => redis.disconnect())
    readiness.addRedis(name, redis)
    return redis
  }
  return {
    manageState: (redis: Redis): Redis => manage('redis-state', redis),
    /** One that listens is not asked whether it is there: what it misses while it is away is made up for. */
    manageSubscriber(redis: Redis): Redis {
      redis.on('error', () => undefined)
      lifecycle.onStop('redis-state subscriber', () => redis.disconnect())
      return redis
    },
    /** The first server of the queue has the name that it has where it is the only one. */
    manageQueue(shards: QueueShards): QueueShards {
      const servers = new Set(shards.map(({ redis }) => redis))
      for (const [index, redis] of [...servers].entries())
        manage(index === 0 ? 'redis-queue' : `redis-queue-${index}`, redis)
      return shards
    },
  }
}
