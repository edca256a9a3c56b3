import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { execaNode } from 'execa'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openQueueProducer } from '#core/redis/connections.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { parseJson } from '#schemas/parse-json.ts'
import { createProcessReports } from '#store/redis/process-reports.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { findFreePort } from '#tools/process/free-port.ts'
import { type ControlledProcess, createNodeProcess, isAlive } from '#tools/stack/controlled-process.ts'
import { createRedisProcess } from '#tools/stack/redis-process.ts'
import { startTcpProxy } from '#tools/stack/tcp-proxy.ts'
import { whenReady } from '#tools/stack/when-ready.ts'
import { root } from '#tools/root.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { pidsOfMembers } from './group-members.fixture.ts'
import { openTestBench } from './proxy/test/gateway.fixture.ts'

const bench = await openTestBench()
await bench.createTestAccount()
afterAll(() => bench.stop())

/** Polls seldom, because a process reuses what it has checked for half a second. */
const patience = { timeout: 20_000, interval: 200 }
const otherKey = randomBytes(32).toString('base64')

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** Starts a service process that responds even if its stores are away. */
async function start(changes: NodeJS.ProcessEnv) {
  const dataDir = temporaryFolder()
  const port = await findFreePort()
  const env = { ...bench.environment, DATA_DIR: dataDir, PORT: String(port), PROXY_PROCESSES: '1', ...changes }
  const service: ControlledProcess = createNodeProcess('service', 'services/main.ts', {
    env: { LOG_LEVEL: 'warn', ...env },
    ready: () => isAlive(port),
  })
  cleanUps.push(() => service.stop())
  await service.start()
  const url = `http://127.0.0.1:${port}`
  const read = async (path: string) => {
    const response = await fetch(url + path)
    const body = (await response.json()) as { status: string; problems: string[]; needs: Record<string, string> }
    return { code: response.status, ...body }
  }
  return {
    dataDir,
    url,
    stop: () => service.stop(),
    output: () => service.output(),
    read,
    startup: () => read('/startupz'),
    /** Status codes of liveness and readiness. */
    codes: async () => [(await read('/healthz')).code, (await read('/readyz')).code],
  }
}

/** A TCP proxy to a store, which the test can close. */
async function wireTo(url: string) {
  const wired = new URL(url)
  const wire = await startTcpProxy({ host: wired.hostname, port: Number(wired.port) })
  cleanUps.push(() => wire.close())
  wired.hostname = '127.0.0.1'
  wired.port = String(wire.port)
  return { wire, url: wired.href }
}

const stores = [
  ['POSTGRES_URL', 'postgres'],
  ['REDIS_STATE_URL', 'redis-state'],
  ['REDIS_QUEUE_URL', 'redis-queue'],
] as const

test('a proxy starts once its stores can be reached, goes on when one can not any more, and is not ready without its spool', async () => {
  const wired = await Promise.all(
    stores.map(async ([variable, name]) => ({ variable, name, ...(await wireTo(bench.environment[variable])) })),
  )
  for (const { wire } of wired) wire.set('reject')
  const service = await start(Object.fromEntries(wired.map(({ variable, url }) => [variable, url])))
  const unusable = async () => (await service.startup()).problems.map((problem) => problem.split(' cannot be used')[0])
  const waiting = new Set<string>(wired.map(({ name }) => name))
  for (const { wire, name } of wired) {
    await expect.poll(async () => new Set(await unusable()), patience).toEqual(waiting)
    expect(await service.startup()).toMatchObject({ code: 503, status: 'starting' })
    expect(await service.codes()).toEqual([200, 503])
    wire.set('pass')
    waiting.delete(name)
  }
  await expect.poll(service.startup, patience).toEqual({ code: 200, status: 'ok', problems: [] })
  expect(await service.codes()).toEqual([200, 200])
  for (const { wire, name } of wired) {
    wire.set('reject')
    await expect.poll(() => service.read('/readyz'), patience).toMatchObject({ needs: { [name]: 'unavailable' } })
    expect(await service.read('/readyz')).toMatchObject({ code: 200, status: 'degraded' })
    expect(await service.startup()).toMatchObject({ code: 200 })
    expect(await service.codes()).toEqual([200, 200])
    wire.set('pass')
    await expect.poll(() => service.read('/readyz'), patience).toMatchObject({ code: 200, status: 'ok' })
  }
  const readWithoutSpool = async () => {
    // Each time, because the process creates it again every few seconds.
    await rm(join(service.dataDir, 'spool'), { recursive: true, force: true })
    return service.read('/readyz')
  }
  await expect.poll(readWithoutSpool, patience).toMatchObject({ code: 503, status: 'unavailable' })
  expect(await service.startup()).toMatchObject({ code: 200 })
  await expect.poll(() => service.read('/readyz'), patience).toMatchObject({ code: 200, status: 'ok' })
})

test('a group has started once all its processes have, and one that is replaced later changes nothing', async () => {
  const { wire, url } = await wireTo(bench.environment.POSTGRES_URL)
  wire.set('reject')
  const { dataDir, startup, codes } = await start({ POSTGRES_URL: url, PROXY_PROCESSES: '2' })
  await expect.poll(async () => (await startup()).problems.join(), patience).toContain('postgres cannot be used')
  expect(await codes()).toEqual([200, 503])
  wire.set('pass')
  await expect.poll(startup, patience).toMatchObject({ code: 200 })
  wire.set('reject')
  const before = await pidsOfMembers(dataDir)
  process.kill(before[0]!, 'SIGKILL')
  const isReplaced = async () => {
    const now = await pidsOfMembers(dataDir)
    return now.length === 2 && !now.includes(before[0]!)
  }
  await expect.poll(isReplaced, patience).toBe(true)
  expect(await startup()).toMatchObject({ code: 200 })
  expect(await codes()).toEqual([200, 200])
})

test('a group serves while one of its processes cannot be started, and says so', async () => {
  const prices = join(temporaryFolder(), 'prices.json')
  await writeFile(prices, '[]')
  const group = await start({ MODEL_PRICES_FILE: prices, PROXY_PROCESSES: '2' })
  await expect.poll(group.startup, patience).toMatchObject({ code: 200 })
  await writeFile(prices, 'no prices')
  const [pid] = await pidsOfMembers(group.dataDir)
  process.kill(pid!, 'SIGKILL')
  const ends = () => group.output().split('a process of the group ended').length - 1
  await expect.poll(ends, { ...patience, timeout: 40_000 }).toBeGreaterThan(5)
  const needs = { process: 'unavailable' }
  expect(await group.read('/readyz')).toMatchObject({ code: 200, status: 'degraded', needs })
  await writeFile(prices, '[]')
  await expect.poll(() => group.read('/readyz'), patience).toMatchObject({ code: 200, status: 'ok' })
})

test('a group stops although clients wait for its first process', async () => {
  const hang = 'process.env.NODE_UNIQUE_ID && (await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1)))'
  const port = await findFreePort()
  const env = {
    ...bench.environment,
    DATA_DIR: temporaryFolder(),
    PORT: String(port),
    PROXY_PROCESSES: '2',
    DRAIN_SECONDS: '0',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hang)}`,
  }
  const group = createNodeProcess('group', 'services/main.ts', { env, ready: () => isAlive(port) })
  cleanUps.push(() => group.stop())
  group.launch()
  await expect.poll(() => group.output(), patience).toContain('"listening"')
  const client = connect(port).on('error', () => undefined)
  await once(client, 'connect')
  await group.stop()
  expect(group.output()).not.toContain('did not stop cleanly')
})

test('a process without its stores shows no address or password of them, and stops cleanly', async () => {
  const away = 'redis://:secret@127.0.0.1:9'
  const { stop, startup, codes, output } = await start({
    ROLES: 'proxy,api,worker',
    POSTGRES_URL: 'postgres://a:secret@127.0.0.1:9/c',
    REDIS_STATE_URL: away,
    REDIS_QUEUE_URL: away,
    CLICKHOUSE_URL: 'http://u:secret@127.0.0.1:9/',
  })
  for (const name of ['postgres', 'redis-state', 'redis-queue', 'clickhouse'])
    await expect.poll(async () => (await startup()).problems.join(), patience).toContain(`${name} cannot be used`)
  expect((await startup()).problems.join()).not.toMatch(/secret|127\.0\.0\.1/)
  expect(await codes()).toEqual([200, 503])
  await stop()
  expect(output()).not.toContain('did not stop cleanly')
})

test('a connection to Postgres that breaks off in a transaction ends only what waits for it', async () => {
  const { wire, url } = await wireTo(bench.environment.POSTGRES_URL)
  const api = await start({ ROLES: 'api', POSTGRES_URL: url, CLICKHOUSE_URL: 'http://127.0.0.1:9/' })
  const sql = openPostgres({ postgresUrl: bench.environment.POSTGRES_URL }, 'test')
  cleanUps.push(() => sql.end())
  const waiting = () => sql`select 1 from pg_locks where not granted and relation = 'accounts'::regclass`
  await sql.begin(async (tx) => {
    await tx`lock table accounts in access exclusive mode`
    const registering = fetch(`${api.url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ username: 'ada', email: 'ada@example.com', password: randomBytes(12).toString('hex') }),
    })
    await expect.poll(waiting, patience).toHaveLength(1)
    wire.set('reject')
    expect((await registering).status).toBe(503)
  })
  expect((await api.read('/healthz')).code).toBe(200)
})

test('a proxy that stops while the queue is away is not awaited once another one runs on its disk', async () => {
  const redis = openQueueProducer({ redisQueueUrl: bench.environment.REDIS_QUEUE_URL })
  await whenReady(redis)
  cleanUps.push(async () => redis.disconnect())
  const proxies = async () => (await createProcessReports({ redis, tag: '' }).proxies()).map(({ id }) => id)
  const { wire, url } = await wireTo(bench.environment.REDIS_QUEUE_URL)
  const { dataDir, stop } = await start({ REDIS_QUEUE_URL: url })
  const [folder] = await readdir(join(dataDir, 'spool'))
  const stopped = folder!.split('.')[0]
  await expect.poll(proxies, patience).toContain(stopped)
  wire.set('reject')
  await stop()
  expect(await proxies()).toContain(stopped)
  await start({ DATA_DIR: dataDir })
  await expect.poll(proxies, patience).not.toContain(stopped)
})

test('a proxy starts once the migrations of its release have run, and with the right master key, unless the operator says that it is lost', async () => {
  const sql = openPostgres({ postgresUrl: bench.environment.POSTGRES_URL }, 'test')
  cleanUps.push(() => sql.end())
  const [newest] = await sql<[{ name: string }]>`
    delete from schema_migrations where name = (select max(name) from schema_migrations) returning name`
  const wrong = await start({ MASTER_KEYS: `1:${otherKey}` })
  const showsOnly = (problem: string) =>
    expect.poll(wrong.startup, patience).toEqual({ code: 503, status: 'starting', problems: [problem] })
  await showsOnly(`The schema of Postgres is too old: run the migrations, from ${newest.name} on.`)
  await sql`insert into schema_migrations (name) values (${newest.name}), ('999_of_the_next_release.sql')`
  await showsOnly('MASTER_KEYS does not open what is stored: master key 1 is missing or wrong.')
  expect(await wrong.codes()).toEqual([200, 503])
  const lost = await start({ MASTER_KEYS: `1:lost,2:${otherKey}` })
  await expect.poll(lost.startup, patience).toMatchObject({ code: 200 })
})

test('no role starts on a ClickHouse without tables; what packages warn about is JSON as well, as BullMQ does about a Redis that evicts', async () => {
  const evicting = { 'maxmemory-policy': 'volatile-lru' }
  const redis = await createRedisProcess(findCommand(['redis-server', 'valkey-server'])!, temporaryFolder(), evicting)
  await redis.start()
  cleanUps.push(() => redis.stop())
  const env = { ROLES: 'proxy,api,worker', REDIS_QUEUE_URL: redis.url, CLICKHOUSE_URL: '' }
  const { startup, codes, output } = await start(env)
  const problem = expect.stringMatching(/^The schema of ClickHouse is too old: run the migrations, from 001/)
  await expect.poll(startup, patience).toEqual({ code: 503, status: 'starting', problems: [problem] })
  expect(await codes()).toEqual([200, 503])
  await expect.poll(output, patience).toContain('Eviction policy')
  const lines = output().split('\n').filter(Boolean)
  expect(lines.filter((line) => parseJson(line) === undefined)).toEqual([])
})

test('an exception that nothing catches ends the process, with a line of JSON besides what Node prints', async () => {
  const planned = `process.on('newListener', (name) => name === 'SIGUSR2' && setImmediate(() => { throw new Error('planned') }))`
  const options = `--import=data:text/javascript,${encodeURIComponent(planned)}`
  const env = { ...bench.environment, DATA_DIR: temporaryFolder(), NODE_OPTIONS: options }
  const { exitCode, stdout } = await execaNode('services/main.ts', { cwd: root, env, reject: false })
  expect(exitCode).not.toBe(0)
  expect(parseJson(stdout.split('\n').at(-1)!)).toMatchObject({
    level: 60,
    msg: 'uncaught exception',
    err: { message: 'planned' },
  })
})
