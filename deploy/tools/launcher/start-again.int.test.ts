import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { openPostgres } from '#core/stores/postgres.ts'
import { createProvider, type Provider } from '#tools/sample-provider/provider.ts'
import { spawnStack, type StackProcess } from '#tools/stack/launched-stack.ts'
import { Stats } from '#schemas/analytics.ts'
import { type DemoSession, seedAccount, signIn } from './demo/demo-session.ts'
import { childPid, livingProcesses } from './start.fixture.ts'

// Services start slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000 })
const startTimeout = { timeout: 90_000 }

const unlimited = { requestsPerDay: null, requestsPerMonth: null, tokens: null }

let dataDir: string
let stack: StackProcess

async function start(): Promise<void> {
  stack = await spawnStack({ dataDir, env: { PLAN_LIMITS: JSON.stringify({ free: unlimited }) } })
  await stack.ready()
}

// All stacks share the same data, which takes long to create.
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sallyport-start-again-'))
  await start()
})
afterAll(async () => {
  await stack?.stop()
  await rm(dataDir, { recursive: true, force: true })
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

describe('a child that was killed is restarted', () => {
  const login = { username: 'keeper', password: 'a long password' }
  let provider: Provider
  let session: DemoSession
  let token: string
  let urls: { postgresUrl: string; state: string; queue: string }

  beforeAll(async () => {
    provider = createProvider()
    const providerUrl = await provider.listen({ host: '127.0.0.1', port: 0 })
    session = await signIn(stack.url, login)
    await session.call('POST', '/api/proxy/config', { baseUrl: providerUrl, rateLimitEnabled: false })
    token = (await seedAccount(session, providerUrl)).tokens[0].secret
    const env = parseEnv(await readFile(join(dataDir, 'services.env'), 'utf8'))
    urls = { postgresUrl: env['POSTGRES_URL']!, state: env['REDIS_STATE_URL']!, queue: env['REDIS_QUEUE_URL']! }
  })
  afterAll(() => provider?.close())

  const sendRequest = async () => {
    const response = await fetch(`${stack.url}/api/proxy/v1/models`, { headers: { authorization: `Bearer ${token}` } })
    await response.body?.cancel()
    return response.status
  }

  /** Sends requests with a token that the proxy has cached, one by one, until the work is done. */
  const expectRequestsToSucceedDuring = async (work: () => Promise<void>) => {
    const statuses = new Set([await sendRequest()])
    const done = new AbortController()
    const finished = work().finally(() => done.abort())
    while (!done.signal.aborted) {
      statuses.add(await sendRequest())
      // More requests would slow down the start of the child.
      await sleep(20)
    }
    await finished
    expect([...statuses]).toEqual([200])
  }

  const signInStatus = async () => {
    const response = await fetch(`${stack.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: stack.url },
      body: JSON.stringify(login),
    })
    return response.status
  }
  const expectSignInToWork = () => expect.poll(signInStatus, startTimeout).toBe(200)

  const countRequests = async () => Stats.parse(await session.call('GET', '/api/stats')).totalRequests

  test('Postgres, although one of its processes keeps running', async () => {
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

  test.each(['state', 'queue'] as const)('Redis (%s)', async (instance) => {
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

  test('api,worker', async () => {
    await sendRequest()
    await expect.poll(countRequests).toBeGreaterThan(0)
    const before = await countRequests()
    await expectRequestsToSucceedDuring(() => killAndWait('api,worker'))
    await expectSignInToWork()
    await expect.poll(countRequests).toBeGreaterThan(before)
  })

  test('proxy', async () => {
    await killAndWait('proxy')
    await expectSignInToWork()
    expect(await sendRequest()).toBe(200)
  })
})

describe('a child that is killed while it restarts', () => {
  afterAll(() => stack.stop())

  test('is restarted once more, and can be stopped with the others meanwhile', async () => {
    const printed = watchOutput()
    await killUntilReplaced('api,worker')
    await kill('api,worker')
    await expect.poll(printed).toContain('api,worker could not be started again (attempt 1 of 5).')
    await expect.poll(printed, startTimeout).toContain('api,worker is running again.')
    expect((await fetch(`${stack.url}/login`)).status).toBe(200)

    await killUntilReplaced('api,worker')
    await stack.stop()
    expect(await stack.exited).toMatchObject({ code: 0 })
    expect(await livingProcesses(dataDir)).toEqual([])
  })
})

describe('a child that can no longer start', () => {
  beforeAll(start)
  afterAll(() => stack.stop())

  test('ends the stack after five failures in a row, with its last lines', async () => {
    await breakRedis()
    expect(await stack.exited).toMatchObject({ code: 1 })
    expect(stack.output()).toContain('Redis (queue) could not be started again (attempt 4 of 5).')
    const [, lastLines] = stack.output().split('Redis (queue) could not be started again in 5 attempts.')
    expect(lastLines).toMatch(/^ Redis \(queue\) ended \(exit code 1\)\. It said last:\n/)
    expect(lastLines).toContain('broken-directive')
    expect(await livingProcesses(dataDir)).toEqual([])
  })
})

describe('a child that waits for its next restart', () => {
  beforeAll(start)

  test('does not keep Ctrl-C from stopping everything', async () => {
    await breakRedis()
    await expect.poll(stack.output).toContain('Redis (queue) could not be started again (attempt 4 of 5).')
    process.kill(stack.pid, 'SIGINT')
    expect(await stack.exited).toMatchObject({ code: 0 })
    expect(stack.output()).not.toContain('in 5 attempts')
    expect(await livingProcesses(dataDir)).toEqual([])
  })
})
