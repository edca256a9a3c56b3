import { randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { whenReady } from '#tools/stack/when-ready.ts'
import { readConfig } from '#core/config.ts'
import { createHttpServer } from '#core/http/http-server.ts'
import { createMetrics } from '#core/metrics.ts'
import { Lifecycle } from '#core/process/lifecycle.ts'
import { createProcessLimits } from '#core/limits/process-limits.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import { openQueueProducer, openStateRedis, openStateSubscriber } from '#core/redis/connections.ts'
import type { Redis } from '#core/redis/redis.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import type { Sql } from '#core/stores/postgres.ts'
import { createTestClickHouse, createTestDatabase, createTestRedis } from '#tools/test/stores.ts'
import type { PlanName } from '#schemas/plan-name.ts'
import type { TwoFactorSetup } from '#schemas/two-factor.ts'
import { addApiRole } from '../role.ts'

export const password = 'correct horse battery'

/** Long, because other tests may keep the machine busy, ms. */
const commandTimeoutMs = 10_000

/** The control plane on real stores, called by `inject()`. */
export interface TestApi {
  app: FastifyInstance
  sql: Sql
  state: Redis
  queue: Redis
  clickhouse: ClickHouseClient
  /** A user with this name or a random one, at a separate address. */
  user(username?: string): TestUser
  register(plan?: PlanName): Promise<TestUser>
  close(): Promise<void>
}

/**
 * @param settings environment variables of the test
 * @param onServer called before the role is added
 */
export async function openTestApi(
  settings: Record<string, string> = {},
  onServer: (app: FastifyInstance) => void = () => undefined,
): Promise<TestApi> {
  const logger = pino({ level: 'silent' })
  const lifecycle = new Lifecycle(logger)
  // Closed if a later step fails: a process can open only one database of chDB.
  await using opening = new AsyncDisposableStack()
  const database = await createTestDatabase()
  opening.defer(() => database.drop())
  const clickhouse = await createTestClickHouse()
  opening.defer(() => clickhouse.drop())
  const redisUrls = await createTestRedis()
  const config = readConfig({
    POSTGRES_URL: database.url,
    REDIS_STATE_URL: redisUrls.redisStateUrl,
    REDIS_QUEUE_URL: redisUrls.redisQueueUrl,
    MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    UPSTREAM_ALLOW_CIDRS: '127.0.0.0/8',
    PROVIDER_BASE_URL: 'http://127.0.0.1:1',
    // Lets tests simulate users at many addresses.
    TRUSTED_PROXIES: '127.0.0.1',
    ...settings,
  })
  const state = openStateRedis(config, commandTimeoutMs)
  const subscriber = openStateSubscriber(config)
  const queue = openQueueProducer(redisUrls)
  opening.defer(() => [state, subscriber, queue].forEach((redis) => redis.disconnect()))
  opening.defer(() => lifecycle.stop())
  await Promise.all([whenReady(state), whenReady(queue)])
  const app = createHttpServer(config, logger)
  opening.defer(() => app.close())
  onServer(app)
  const shards: QueueShards = [{ redis: queue, tag: '' }]
  const metrics = createMetrics()
  const limits = createProcessLimits(config.resourceLimits, metrics)
  const resources = { sql: database.sql, clickhouse: clickhouse.clickhouse, state, subscriber, queue: shards, limits }
  await addApiRole(app, resources, config, { lifecycle, logger, metrics })
  await app.ready()
  const opened = opening.move()
  return {
    app,
    sql: database.sql,
    state,
    queue,
    clickhouse: clickhouse.clickhouse,
    user: (username) => new TestUser(app, username),
    async register(plan) {
      const user = await new TestUser(app).register()
      if (plan) await database.sql`update accounts set plan = ${plan} where username = ${user.username}`
      return user
    },
    close: () => opened.disposeAsync(),
  }
}

/** Opens an API that all tests of a file share. */
export async function testApi(...options: Parameters<typeof openTestApi>): Promise<TestApi> {
  const api = await openTestApi(...options)
  afterAll(() => api.close())
  return api
}

export type StartedResponse = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body'>

/** A user with a browser that keeps its cookies. */
export class TestUser {
  readonly #app: FastifyInstance
  readonly username: string
  readonly address: string
  readonly cookies = new Map<string, string>()
  userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

  constructor(app: FastifyInstance, username = `user-${randomBytes(4).toString('hex')}`) {
    this.#app = app
    this.username = username
    this.address = `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`
  }

  get email(): string {
    return `${this.username}@example.test`
  }

  async call(
    method: NonNullable<InjectOptions['method']>,
    url: string,
    body?: object | string,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    const response = await this.#app.inject({ method, url, payload: body, ...this.#identity(headers) })
    for (const { name, value, maxAge } of response.cookies) {
      if (value === '' || maxAge === 0) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  /** Reads the whole response, or the beginning of an event stream. */
  async open(url: string, headers: Record<string, string> = {}): Promise<StartedResponse> {
    const response = await this.#app.inject({ url, payloadAsStream: true, ...this.#identity(headers) })
    const isEndless = response.headers['content-type'] === 'text/event-stream'
    let body = ''
    for await (const chunk of response.stream()) {
      body += String(chunk)
      if (isEndless) break
    }
    response.raw.res.destroy()
    return { statusCode: response.statusCode, headers: response.headers, body }
  }

  #identity(headers: Record<string, string>) {
    return {
      cookies: Object.fromEntries(this.cookies),
      headers: { 'user-agent': this.userAgent, 'x-forwarded-for': this.address, ...headers },
    }
  }

  async register(): Promise<this> {
    const { username, email } = this
    const response = await this.call('POST', '/api/register', { username, email, password })
    if (response.statusCode !== 201) throw new Error(`could not register: ${response.body}`)
    return this
  }

  /** The cookies as a header, for requests over the network. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async enableTwoFactor() {
    const setup = await this.call('POST', '/api/user/two-factor/setup', { currentPassword: password })
    const { secret, uri }: TwoFactorSetup = setup.json()
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const enabled = await this.call('POST', '/api/user/two-factor/enable', { code: totp.generate() })
    const { recoveryCodes }: { recoveryCodes: string[] } = enabled.json()
    return { secret, uri, totp, recoveryCodes }
  }

  async accountId(): Promise<string> {
    return (await this.call('GET', '/api/user')).json().id
  }

  signIn(secret = password, code?: string): Promise<LightMyRequestResponse> {
    this.cookies.clear()
    return this.call('POST', '/api/login', { username: this.username, password: secret, code })
  }
}
