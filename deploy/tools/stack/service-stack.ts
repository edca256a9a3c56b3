import { root } from '#tools/root.ts'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { type ClickHouseClient, openClickHouse } from '#core/stores/clickhouse.ts'
import { proxyMemory, workerMemory } from '#deploy/docker/process-memory.ts'
import { findFreePort } from '#tools/process/free-port.ts'
import { createProvider } from '#tools/sample-provider/provider.ts'
import { makeOperator } from './operator.ts'
import { Pipeline } from '#schemas/pipeline.ts'
import { type TestAccount, openAccount } from './account.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { createNodeProcess, type ControlledProcess, isAlive, isReady } from './controlled-process.ts'
import { createRedisProcess, type RedisProcess } from './redis-process.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const memoryOf = { proxy: proxyMemory, worker: workerMemory, api: {} }

/** One server, or a replicated one. */
type AnyRedis = Pick<RedisProcess, 'url' | 'start' | 'stop' | 'thaw'>

/** The services, each in its own process, on real stores, with access to everything that fault tests need. */
export interface ServiceStack<Redis = RedisProcess> {
  proxyUrl: string
  proxyPort: number
  workerPort: number
  apiPort: number
  dataDir: string
  proxy: ControlledProcess
  api: ControlledProcess
  workers: [ControlledProcess, ControlledProcess]
  queueRedis: Redis
  stateRedis: Redis
  /** Between the services and Postgres. */
  postgresLink: TcpProxy
  /** Between the services and ClickHouse. */
  clickhouseLink: TcpProxy
  /** Connected directly, not through the link. */
  clickhouse: ClickHouseClient
  /** Points directly to Postgres, not through the link. */
  postgresUrl: string
  redisProgram: string
  /** The environment of every service. */
  environment: NodeJS.ProcessEnv
  /** Creates another process of a role, with changes to its environment. */
  service(role: 'proxy' | 'worker', env?: NodeJS.ProcessEnv): Promise<{ process: ControlledProcess; port: number }>
  /** Two proxies behind a balancer; the first call starts the second proxy. */
  balanced(): Promise<{ url: string; proxies: ControlledProcess[] }>
  newAccount(options: Parameters<typeof openAccount>[1]): Promise<TestAccount>
  /** Creates a secure token of the operator's account. */
  newToken(name: string): Promise<{ id: string; token: string }>
  pipeline(): Promise<Pipeline>
  stop(): Promise<void>
}

interface ServiceStackOptions<Redis> {
  postgresUrl: string
  redisProgram: string
  createRedis: (program: string, dir: string) => Promise<Redis>
  /** Changes to the environment of every service. */
  environment?: NodeJS.ProcessEnv
}

export const startServiceStack = (
  options: Omit<ServiceStackOptions<RedisProcess>, 'createRedis'>,
): Promise<ServiceStack> => startServiceStackOn({ ...options, createRedis: createRedisProcess })

export async function startServiceStackOn<Redis extends AnyRedis>(
  options: ServiceStackOptions<Redis>,
): Promise<ServiceStack<Redis>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-faults-'))
  const provider = createProvider({ recordLimit: 0 })
  const providerUrl = await provider.listen({ port: 0, host: '127.0.0.1' })
  const [queueRedis, stateRedis] = [
    await options.createRedis(options.redisProgram, join(dataDir, 'redis-queue')),
    await options.createRedis(options.redisProgram, join(dataDir, 'redis-state')),
  ]
  const serverPort = await findFreePort()
  const server = createNodeProcess('ClickHouse', 'deploy/tools/stack/clickhouse-server.ts', {
    args: [String(serverPort), join(dataDir, 'clickhouse')],
    ready: (output) => output.includes('ready'),
  })
  await Promise.all([queueRedis.start(), stateRedis.start(), server.start()])
  const host = '127.0.0.1'
  const linkedPostgres = new URL(options.postgresUrl)
  const clickhouseLink = await startTcpProxy({ host, port: serverPort })
  const postgresLink = await startTcpProxy({ host, port: Number(linkedPostgres.port) })
  linkedPostgres.port = String(postgresLink.port)

  const env = {
    POSTGRES_URL: linkedPostgres.href,
    REDIS_QUEUE_URL: queueRedis.url,
    REDIS_STATE_URL: stateRedis.url,
    CLICKHOUSE_URL: `http://127.0.0.1:${clickhouseLink.port}`,
    MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    PROVIDER_BASE_URL: providerUrl,
    UPSTREAM_ALLOW_CIDRS: '127.0.0.0/8',
    PLAN_LIMITS: JSON.stringify({ free: { requestsPerDay: null, tokens: 100 } }),
    LOG_LEVEL: 'warn',
    API_URL: undefined,
    DATA_DIR: dataDir,
    ...options.environment,
  }
  await execa(process.execPath, ['services/migrate.ts'], { env, cwd: root })

  const described = async (role: 'proxy' | 'worker' | 'api', changes: NodeJS.ProcessEnv = {}) => {
    const port = await findFreePort()
    const ready = () => (role === 'proxy' ? isAlive(port) : isReady(port))
    const process = createNodeProcess(role, 'services/main.ts', {
      env: { ...env, ...memoryOf[role], ...changes, ROLES: role, PORT: String(port) },
      ready,
    })
    return { process, port }
  }
  const [proxy, api, first, second] = [
    await described('proxy'),
    await described('api'),
    await described('worker'),
    await described('worker'),
  ]
  await Promise.all([proxy, api, first, second].map((each) => each.process.start()))
  const clickhouse = await openClickHouse({ clickhouseUrl: `http://127.0.0.1:${serverPort}`, dataDir })
  const apiUrl = `http://127.0.0.1:${api.port}`
  const operator = await openAccount(apiUrl, { username: 'operator' })
  await makeOperator('operator', env)
  const others: ControlledProcess[] = []
  let balanced: Promise<{ balancer: Balancer; proxies: ControlledProcess[] }> | undefined

  async function balance() {
    const another = await described('proxy')
    others.push(another.process)
    await another.process.start()
    const balancer = await startBalancer([proxy.port, another.port])
    return { balancer, proxies: [proxy.process, another.process] }
  }

  return {
    proxyUrl: `http://127.0.0.1:${proxy.port}`,
    proxyPort: proxy.port,
    workerPort: first.port,
    apiPort: api.port,
    dataDir,
    proxy: proxy.process,
    api: api.process,
    workers: [first.process, second.process],
    queueRedis,
    stateRedis,
    clickhouseLink,
    clickhouse,
    postgresLink,
    postgresUrl: options.postgresUrl,
    redisProgram: options.redisProgram,
    environment: env,
    async service(role, changes) {
      const each = await described(role, changes)
      others.push(each.process)
      return each
    },
    async balanced() {
      const { balancer, proxies } = await (balanced ??= balance())
      return { url: balancer.url, proxies }
    },
    newAccount: (account) => openAccount(apiUrl, account),
    newToken: (name) => operator.newToken(name),
    pipeline: async () => Pipeline.parse(await operator.get('/api/pipeline')),
    async stop() {
      for (const link of [clickhouseLink, postgresLink]) link.set('pass')
      for (const each of [stateRedis, queueRedis]) each.thaw()
      await (await balanced)?.balancer.close()
      await Promise.all(
        [...others, proxy.process, api.process, first.process, second.process].map((each) => each.stop()),
      )
      await clickhouse.close()
      await Promise.all([clickhouseLink.close(), postgresLink.close()])
      await Promise.all([server.stop(), queueRedis.stop(), stateRedis.stop(), provider.close()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
