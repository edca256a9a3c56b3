import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { backUpDataDir, restoreDataDir } from '#tools/backup/data-dir.ts'
import { createProvider } from '#tools/sample-provider/provider.ts'
import { root } from '#tools/root.ts'
import { spawnStack, type StackProcess } from '#tools/stack/launched-stack.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { Stats } from '#schemas/analytics.ts'
import { type DemoAccount, type DemoSession, seedAccount, signIn } from './demo/demo-session.ts'
import { childPid, livingProcesses } from './start.fixture.ts'

// Services start slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000 })
const startTimeout = { timeout: 90_000 }

const login = { username: 'keeper', password: 'a long password' }
const unlimited = { requestsPerDay: null, requestsPerMonth: null, tokens: null }
const provider = createProvider()

const folder = temporaryFolder(afterAll)
const dataDir = join(folder, 'data')
let stack: StackProcess
let session: DemoSession
let account: DemoAccount
let urls: { postgresUrl: string; state: string; queue: string }

async function start(env: NodeJS.ProcessEnv = {}): Promise<void> {
  stack = await spawnStack({ dataDir, env: { PLAN_LIMITS: JSON.stringify({ free: unlimited }), ...env } })
  await stack.ready()
}

// Each test goes on with the stack or the data of the one before, because a start takes long.
beforeAll(async () => {
  await mkdir(dataDir, { mode: 0o755 })
  await start()
  const providerUrl = await provider.listen({ host: '127.0.0.1', port: 0 })
  session = await signIn(stack.url, login)
  await session.call('POST', '/api/proxy/config', { baseUrl: providerUrl, rateLimitEnabled: false })
  account = await seedAccount(session, providerUrl)
  const env = parseEnv(await readFile(join(dataDir, 'services.env'), 'utf8'))
  urls = { postgresUrl: env['POSTGRES_URL']!, state: env['REDIS_STATE_URL']!, queue: env['REDIS_QUEUE_URL']! }
})
afterAll(async () => {
  await stack?.stop()
  await provider.close()
})

const kill = async (name: string) => process.kill(await childPid(stack, name), 'SIGKILL')

/** @returns a function that returns the stack's output since this call */
function watchOutput(): () => string {
  const before = stack.output().length
  return () => stack.output().slice(before)
}

/** Kills the child, and waits until the stack reports that it runs again. */
async function killAndWait(name: string): Promise<void> {
  const printed = watchOutput()
  await kill(name)
  await expect.poll(printed, startTimeout).toContain(`${name} is running again.`)
  expect(printed()).toContain(`${name} ended (SIGKILL); starting it again.`)
  expect(printed().match(/ended \(/g), 'no other child ended').toHaveLength(1)
}

/** Kills the child, and waits until another process, not ready yet, has replaced it. */
async function killUntilReplaced(name: string): Promise<void> {
  const killed = await childPid(stack, name)
  await kill(name)
  await expect.poll(() => childPid(stack, name)).not.toBe(killed)
}

/** Makes every further start of the queue's Redis fail. */
async function breakRedis(): Promise<void> {
  await writeFile(join(dataDir, 'redis-queue', 'redis.conf'), 'broken-directive yes\n')
  await kill('Redis (queue)')
}

/** Sends a request with a token that the proxy has cached. @returns its id too */
async function sendRequest() {
  const headers = { authorization: `Bearer ${account.tokens[0].secret}` }
  const response = await fetch(`${stack.url}/api/proxy/v1/models`, { headers })
  await response.text()
  return { status: response.status, id: response.headers.get('x-request-id')! }
}

/** Sends requests one by one until the work is done. */
async function expectRequestsToSucceedDuring(work: () => Promise<void>): Promise<void> {
  const statuses = new Set([(await sendRequest()).status])
  const done = new AbortController()
  const finished = work().finally(() => done.abort())
  while (!done.signal.aborted) {
    statuses.add((await sendRequest()).status)
    // More requests would slow down the start of the child.
    await sleep(20)
  }
  await finished
  expect([...statuses]).toEqual([200])
}

const sendLogin = () =>
  fetch(`${stack.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: stack.url },
    body: JSON.stringify(login),
  })
const expectSignInToWork = () => expect.poll(async () => (await sendLogin()).status, startTimeout).toBe(200)
const countRequests = async () => Stats.parse(await session.call('GET', '/api/stats')).totalRequests
const seed = () =>
  execa(process.execPath, ['deploy/tools/seed/main.ts', '--rows', '100'], {
    cwd: root,
    env: { DATA_DIR: dataDir },
    reject: false,
  })
const readSecrets = () => readFile(join(dataDir, 'secrets.json'), 'utf8')

test('a second start on the same data, and a seed of it, are rejected and leave the first one alone', async () => {
  const second = await spawnStack({ dataDir })
  expect(await second.exited).toMatchObject({ code: 1 })
  expect(second.output()).toContain(`already running (pid ${stack.pid})`)
  expect((await seed()).stderr).toContain('already running')
  expect((await sendLogin()).status).toBe(200)
})

test('Postgres is restarted, although one of its processes keeps running', async () => {
  const sql = openPostgres(urls, 'test')
  onTestFinished(() => sql.end({ timeout: 0 }))
  // This process does not notice that its server is dead, and prevents another one from starting.
  sql`do 'begin loop null; end loop; end'`.catch(() => {})
  const findLoops = () => sql`select 1 from pg_stat_activity where query like 'do %' and state = 'active'`
  await expect.poll(findLoops).toHaveLength(1)

  await expectRequestsToSucceedDuring(() => killAndWait('Postgres'))
  await expectSignInToWork()
  expect(await sql`select username from accounts`).toMatchObject([{ username: login.username }])
})

test.each(['state', 'queue'] as const)('Redis (%s) is restarted', async (instance) => {
  const redis = openQueueConsumer({ redisQueueUrl: urls[instance] })
  redis.on('error', () => {})
  onTestFinished(() => redis.disconnect())
  await redis.set('kept', 'yes')
  // The state is saved only every five minutes.
  if (instance === 'state') await redis.save()

  await expectRequestsToSucceedDuring(() => killAndWait(`Redis (${instance})`))
  expect(await redis.get('kept')).toBe('yes')
  await expectSignInToWork()
})

test('api,worker is restarted', async () => {
  await sendRequest()
  await expect.poll(countRequests).toBeGreaterThan(0)
  const before = await countRequests()
  await expectRequestsToSucceedDuring(() => killAndWait('api,worker'))
  await expectSignInToWork()
  await expect.poll(countRequests).toBeGreaterThan(before)
})

test('the proxy is restarted', async () => {
  await killAndWait('proxy')
  await expectSignInToWork()
  expect(await sendRequest()).toMatchObject({ status: 200 })
})

/** Ids of requests that succeeded while the first stack was stopped. */
const succeeded = new Set<string>()

async function sendUntil(until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    const response = await sendRequest().catch(() => undefined)
    if (response?.status === 200) succeeded.add(response.id)
    await sleep(20)
  }
}

test('Ctrl-C stops everything without a trace, while a child waits for its restart and another one starts', async () => {
  const end = new AbortController()
  const load = Array.from({ length: 4 }, () => sendUntil(end.signal))
  await expect.poll(() => succeeded.size).toBeGreaterThan(30)
  await breakRedis()
  await expect(backUpDataDir(dataDir, join(folder, 'backup'))).rejects.toThrow('already running')
  await expect.poll(stack.output).toContain('Redis (queue) could not be started again (attempt 3 of 5).')
  await killUntilReplaced('proxy')
  process.kill(stack.pid, 'SIGINT')
  expect(await stack.exited).toMatchObject({ code: 0 })
  end.abort()
  await Promise.all(load)
  expect(stack.output()).not.toContain('in 5 attempts')
  expect(await livingProcesses(dataDir)).toEqual([])
  expect(await readdir(dataDir)).not.toContain('lock.json')
})

test('a stopped stack can be filled with made-up requests', async () => {
  expect((await seed()).stdout).toContain('100 of 100 rows')
  expect(await readdir(dataDir)).not.toContain('lock.json')
})

test('a lost machine comes back from its backup, with accounts, keys, secrets and every successful request', async () => {
  const backup = join(folder, 'backup')
  const [secrets, token] = [await readSecrets(), account.tokens[0].secret]
  await backUpDataDir(dataDir, backup)
  await rm(dataDir, { recursive: true })
  await restoreDataDir(backup, dataDir)
  await expect(restoreDataDir(backup, dataDir)).rejects.toThrow('There is data in')
  expect(await readdir(folder)).toEqual(['backup', 'data'])
  // An earlier release or a careless copy may leave it so.
  await execa('chmod', ['-R', 'a+rX', dataDir])
  await start()
  expect(await readSecrets()).toBe(secrets)
  expect((await sendLogin()).status).toBe(200)
  session = await signIn(stack.url, login)
  account = await seedAccount(session, '')
  expect(account.tokens[0].secret).toBe(token)

  const missing = async () => {
    const logs = String(await session.call('GET', '/api/logs/export?format=jsonl'))
    return [...succeeded].filter((id) => !logs.includes(id))
  }
  await expect.poll(missing, { timeout: 20_000, interval: 500 }).toEqual([])
  expect(await sendRequest()).toMatchObject({ status: 200 })
})

test('after kill -9 the next start cleans up and runs', async () => {
  // The cleanup must find the process that replaced the first one.
  await killAndWait('Redis (queue)')
  process.kill(stack.pid, 'SIGKILL')
  await stack.exited
  await start({ DRAIN_SECONDS: '0' })
  expect(stack.output()).toContain('The last run was killed')
})

test('five failed restarts of a child in a row end the stack, with its last lines, although a service hangs', async () => {
  process.kill(await childPid(stack, 'api,worker'), 'SIGSTOP')
  await breakRedis()
  expect(await stack.exited).toMatchObject({ code: 1 })
  expect(stack.output()).toContain('Redis (queue) could not be started again (attempt 4 of 5).')
  const [, lastLines] = stack.output().split('Redis (queue) could not be started again in 5 attempts.')
  expect(lastLines).toMatch(/^ Redis \(queue\) ended \(exit code 1\)\. It said last:\n/)
  expect(lastLines).toContain('broken-directive')
  expect(lastLines).toContain('api,worker did not stop in time')
  expect(await livingProcesses(dataDir)).toEqual([])
})

test('row 67: a data directory that everybody could read is closed, and so is all that comes into it', async () => {
  const { stdout } = await execa('find', [dataDir, '-perm', '/077', '-not', '-type', 'l'])
  expect(stdout).toBe('')
})
