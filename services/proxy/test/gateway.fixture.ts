import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tracer } from '@opentelemetry/api'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { startTcpProxy } from '#tools/stack/tcp-proxy.ts'
import { whenReady } from '#tools/stack/when-ready.ts'
import { createTestDatabase, createTestRedis } from '#tools/test/stores.ts'
import { createProvider } from '#tools/sample-provider/provider.ts'
import { readConfig } from '#core/config.ts'
import { createHttpServer, type HttpServerOptions } from '#core/http/http-server.ts'
import { createInvalidation } from '#shared/invalidation.ts'
import { Lifecycle } from '#core/process/lifecycle.ts'
import { createLogger } from '#core/logger.ts'
import { createMetrics } from '#core/metrics.ts'
import { addHealthRoutes } from '#core/process/health.ts'
import { createProcessLimits } from '#core/limits/process-limits.ts'
import {
  openQueueProducer,
  openQueueShards,
  openStateRedis,
  openStateSubscriber,
  statePatienceMs,
} from '#core/redis/connections.ts'
import type { Redis } from '#core/redis/redis.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { createSessionTokens } from '#shared/session-token.ts'
import { createVault } from '#shared/vault.ts'
import { createTokenSpendingStore } from '#store/redis/token-spending.ts'
import { product } from '#schemas/product.ts'
import { openEventReader } from './event-reader.fixture.ts'
import { type Respond, startRawUpstream } from './raw-upstream.fixture.ts'
import { addProxyRole } from '../role.ts'
import {
  createTestAccount,
  type TestAccount,
  type TestAccountOptions,
  type TestAccountStores,
} from './test-account.fixture.ts'

const sessionSecret = 'a secret of at least thirty-two characters'
const masterKey = randomBytes(32)
const silent = pino({ level: 'silent' })

/** Redis may respond late on a busy machine, which these tests should ignore, ms. */
const patienceMs = 10_000

/** Short, because most tests wait for a log, ms. */
const batchAgeMs = 50

interface GatewayOptions extends HttpServerOptions {
  /** Environment variables that a test sets. */
  env?: Record<string, string>
  tracer?: Tracer
  /** Gets the lines of the operator's log, of every level. */
  onLogLine?: (line: string) => void
}

export type TestBench = Awaited<ReturnType<typeof openTestBench>>
export type Gateway = Awaited<ReturnType<TestBench['startGateway']>>

/** The data plane as in production: real stores and sockets; only the provider is simulated. */
export async function openTestBench() {
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
    invalidate: createInvalidation(state, silent),
    sessionTokens: createSessionTokens({ secret: sessionSecret, secure: false }),
  }
  const spending = createTokenSpendingStore(state)
  const gateways: { stop(): Promise<void> }[] = []
  const stops: (() => Promise<void>)[] = []

  const environment = {
    ROLES: 'proxy',
    POSTGRES_URL: database.url,
    REDIS_STATE_URL: redisUrls.redisStateUrl,
    REDIS_QUEUE_URL: redisUrls.redisQueueUrl,
    MASTER_KEYS: `1:${masterKey.toString('base64')}`,
    SESSION_SECRET: sessionSecret,
    UPSTREAM_ALLOW_CIDRS: '127.0.0.0/8',
  }

  async function startGateway({ env = {}, tracer, onLogLine, ...timeouts }: GatewayOptions = {}) {
    const logger = onLogLine ? createLogger({ logLevel: 'trace', roles: ['proxy'] }, { write: onLogLine }) : silent
    const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-proxy-'))
    const config = readConfig({ ...environment, DATA_DIR: dataDir, ...env })
    const lifecycle = new Lifecycle(logger)
    const metrics = createMetrics()
    const app = createHttpServer(config, logger, timeouts)
    const sql = openPostgres(config, 'proxy')
    const limiterPatienceMs = env.REDIS_STATE_URL ? statePatienceMs.request : patienceMs
    const openState = (timeoutMs: number) => openStateRedis(config, timeoutMs)
    const redis = {
      limiter: openState(statePatienceMs.late),
      cache: openState(limiterPatienceMs),
      keyHealth: openState(limiterPatienceMs),
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
    const resources = { sql, redis, limiterPatienceMs, batchAgeMs, queue, limits, tracer }
    await addProxyRole(app, resources, config, { lifecycle, logger, metrics })
    addHealthRoutes(
      app,
      () => false,
      async () => ({ problems: [], needs: {}, isReady: true }),
    )
    await Promise.all(ready)
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    let stopped: Promise<void> | undefined
    const stop = () => (stopped ??= close())
    async function close(): Promise<void> {
      app.server.closeAllConnections()
      await app.close()
      await lifecycle.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
    gateways.push({ stop })
    return {
      origin,
      port: Number(new URL(origin).port),
      dataDir,
      /** For the `baseURL` option of an SDK. */
      baseURL: `${origin}${product.proxyPath}/v1`,
      metrics: () => metrics.metrics(),
      /** The value of a metric, by its printed name and labels. */
      async metric(name: string): Promise<number> {
        const line = (await metrics.metrics()).split('\n').find((each) => each.startsWith(`${name} `))
        return Number(line?.split(' ').at(-1) ?? 0)
      },
      /** As at the end of the drain time. */
      cut: () => lifecycle.cut(),
      stop,
    }
  }

  const createAccount = (options?: TestAccountOptions) => createTestAccount(stores, providerOrigin, options)

  async function startUpstream(respond?: Respond) {
    const upstream = await startRawUpstream(respond)
    stops.push(upstream.stop)
    return upstream
  }

  return {
    provider,
    providerOrigin,
    environment,
    events,
    /** Direct access to the accounts. */
    sql: stores.sql,
    /** Direct access to the Redis of limits and caches. */
    state,
    startGateway,
    startUpstream,
    createTestAccount: createAccount,
    /** Has the gateways check an account's open connections again. */
    invalidate: stores.invalidate,

    /** What the account's first token has spent and reserved today. */
    spendingOf: async ({ accountId, token }: TestAccount) =>
      (await spending.read(accountId, [token.id])).get(token.id)?.day,

    /** A gateway whose connections to one store go through a TCP proxy that the test can break. */
    async startBreakableGateway(
      store: 'POSTGRES_URL' | 'REDIS_STATE_URL' | 'REDIS_QUEUE_URL',
      env: Record<string, string> = {},
    ) {
      const url = new URL(environment[store])
      const wire = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
      url.hostname = '127.0.0.1'
      url.port = String(wire.port)
      const gateway = await startGateway({ env: { ...env, [store]: url.href } })
      stops.push(() => wire.close())
      return { wire, gateway }
    },

    /** An account whose provider responds with the test's bytes. */
    async createAccountWithUpstream(respond?: Respond, options: TestAccountOptions = {}) {
      const upstream = await startUpstream(respond)
      const config = { baseUrl: upstream.origin, ...options.config }
      return { upstream, account: await createAccount({ ...options, config }) }
    },

    async stop() {
      await Promise.all(gateways.map((gateway) => gateway.stop()))
      await Promise.all(stops.map((stop) => stop()))
      await events.close()
      state.disconnect()
      await provider.close()
      await database.drop()
    },
  }
}

/** A bench for the tests of one file. */
export async function useTestBench(): Promise<TestBench> {
  const bench = await openTestBench()
  afterAll(() => bench.stop())
  return bench
}

/** Status and code of an error response. */
export async function errorOf(response: Response): Promise<[status: number, code: string]> {
  const { error } = (await response.json()) as { error: { code: string } }
  return [response.status, error.code]
}

/** The cache status of a response. */
export const cacheStatusOf = ({ headers }: Response) => headers.get('x-sallyport-cache')

/** Sends requests at the same time. */
export const atOnce = <Result>(count: number, send: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)))
