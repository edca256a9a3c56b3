import type { EventEmitter } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { whenReady } from '#tools/stack/when-ready.ts'
import { createTestDatabase, createTestRedis } from '#tools/test/stores.ts'
import { createProvider, type Provider } from '#tools/sample-provider/provider.ts'
import { readConfig } from '#core/config.ts'
import { createHttpServer, type HttpServerOptions } from '#core/http/http-server.ts'
import { createInvalidation } from '#shared/invalidation.ts'
import { Lifecycle } from '#core/process/lifecycle.ts'
import { createMetrics } from '#core/metrics.ts'
import { createProcessLimits } from '#core/limits/process-limits.ts'
import {
  openPostgres,
  openQueueProducer,
  openQueueShards,
  openStateRedis,
  openStateSubscriber,
  type Redis,
  statePatienceMs,
} from '#core/resources.ts'
import { createSessionTokens } from '#shared/session-token.ts'
import { createVault } from '#shared/vault.ts'
import { product } from '#schemas/product.ts'
import { type EventReader, openEventReader } from './event-reader.fixture.ts'
import { addProxyRole } from '../role.ts'
import {
  createTestAccount,
  type TestAccount,
  type TestAccountOptions,
  type TestAccountStores,
} from './test-account.fixture.ts'

const sessionSecret = 'a secret of at least thirty-two characters'
const masterKey = Buffer.alloc(32, 7)
const logger = pino({ level: 'silent' })

/** The machine may be busy with other tests: a late answer of Redis is not what is tested here, ms. */
const patienceMs = 10_000

export interface Gateway {
  origin: string
  port: number
  /** What goes into an SDK's `baseURL`. */
  baseURL: string
  /** A value of its metrics, by name and labels as they stand there. */
  metric(name: string): Promise<number>
  stop(): Promise<void>
}

export interface GatewayOptions extends HttpServerOptions {
  /** Environment variables that matter to a test. */
  env?: Record<string, string>
}

/** Stores, a provider, and as many gateways on them as a test wants. */
export interface TestBench {
  provider: Provider
  providerOrigin: string
  urls: { postgres: string; redisState: string; redisQueue: string }
  /** What a proxy in a process of its own is told. */
  environment: Record<string, string>
  events: EventReader
  /** Direct access to the Redis of limits and caches. */
  state: Redis
  startGateway(options?: GatewayOptions): Promise<Gateway>
  createTestAccount(options?: TestAccountOptions): Promise<TestAccount>
  stop(): Promise<void>
}

/** The data plane as in production: real stores, real sockets; only the provider is a sample. */
export async function openTestBench(): Promise<TestBench> {
  const database = await createTestDatabase()
  const redisUrls = await createTestRedis()
  const provider = createProvider()
  const providerOrigin = await provider.listen({ port: 0, host: '127.0.0.1' })
  const events = openEventReader(redisUrls.redisQueueUrl)
  const state = openStateRedis(redisUrls, patienceMs)
  await whenReady(state)
  const stores: TestAccountStores = {
    sql: database.sql,
    vault: createVault(new Map([[1, masterKey]])),
    invalidate: createInvalidation(state, logger),
    sessionTokens: createSessionTokens({ secret: sessionSecret, secure: false }),
  }
  const gateways: Gateway[] = []

  const environment = {
    ROLES: 'proxy',
    POSTGRES_URL: database.url,
    REDIS_STATE_URL: redisUrls.redisStateUrl,
    REDIS_QUEUE_URL: redisUrls.redisQueueUrl,
    MASTER_KEYS: `1:${masterKey.toString('base64')}`,
    SESSION_SECRET: sessionSecret,
    UPSTREAM_ALLOW_CIDRS: '127.0.0.0/8',
  }

  async function startGateway({ env = {}, ...patience }: GatewayOptions = {}): Promise<Gateway> {
    const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-proxy-'))
    const config = readConfig({ ...environment, DATA_DIR: dataDir, ...env })
    const lifecycle = new Lifecycle(logger)
    const metrics = createMetrics()
    const app = createHttpServer(config, logger, { ...patience, providerErrorsPath: product.proxyPath })
    const sql = openPostgres(config, 'proxy')
    const openState = () => openStateRedis(config, env.REDIS_STATE_URL ? statePatienceMs.request : patienceMs)
    const redis = {
      limiter: openState(),
      cache: openState(),
      keyHealth: openState(),
      subscriber: openStateSubscriber(config),
    }
    const queue = openQueueShards(config, openQueueProducer)
    const connections: (EventEmitter & Pick<Redis, 'disconnect'>)[] = [...Object.values(redis), queue[0].redis]
    const ready = connections.map((connection) => {
      connection.on('error', () => undefined)
      lifecycle.onStop('redis', () => connection.disconnect())
      return whenReady(connection)
    })
    lifecycle.onStop('postgres', () => sql.end({ timeout: 1 }))
    const limits = createProcessLimits(config.resourceLimits, metrics)
    await addProxyRole(app, { sql, redis, queue, limits }, config, lifecycle, logger, metrics)
    await Promise.all(ready)
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const origin = `http://127.0.0.1:${port}`
    let stopped: Promise<void> | undefined
    const gateway = {
      origin,
      port,
      baseURL: `${origin}${product.proxyPath}/v1`,
      metric: async (name: string) => {
        const line = (await metrics.metrics()).split('\n').find((each) => each.startsWith(`${name} `))
        return Number(line?.split(' ').at(-1) ?? 0)
      },
      stop: () => (stopped ??= stop()),
    }
    async function stop(): Promise<void> {
      app.server.closeAllConnections()
      await app.close()
      await lifecycle.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
    gateways.push(gateway)
    return gateway
  }

  return {
    provider,
    providerOrigin,
    environment,
    urls: { postgres: database.url, redisState: redisUrls.redisStateUrl, redisQueue: redisUrls.redisQueueUrl },
    events,
    state,
    startGateway,
    createTestAccount: (options) => createTestAccount(stores, providerOrigin, options),
    async stop() {
      await Promise.all(gateways.map((gateway) => gateway.stop()))
      await events.close()
      state.disconnect()
      await provider.close()
      await database.drop()
    },
  }
}
