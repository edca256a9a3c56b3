import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type StackProcess, spawnStack } from '#tools/stack/launched-stack.ts'
import { listenLocally } from '#tools/process/listen.ts'
import { childPid, livingProcesses } from './start.fixture.ts'

// A stack starts slowly on a busy machine, and some tests start two.
vi.setConfig({ testTimeout: 240_000 })

let dataDir: string
const stacks: StackProcess[] = []

const openFolder = async () => void (dataDir = await mkdtemp(join(tmpdir(), 'sallyport-start-')))

async function closeFolder(): Promise<void> {
  await Promise.all(stacks.splice(0).map((stack) => stack.stop()))
  await rm(dataDir, { recursive: true, force: true })
}

const spawn = async (env: NodeJS.ProcessEnv = {}, directory = dataDir) => {
  const stack = await spawnStack({ dataDir: directory, env })
  stacks.push(stack)
  return stack
}

async function spawnReady(env?: NodeJS.ProcessEnv): Promise<StackProcess> {
  const stack = await spawn(env)
  await stack.ready()
  return stack
}

async function expectStartFailure(stack: StackProcess, reason: string | RegExp): Promise<void> {
  expect(await stack.exited).toMatchObject({ code: 1 })
  expect(stack.output()).toMatch(reason)
  expect(await livingProcesses(dataDir)).toEqual([])
}

const post = (stack: StackProcess, path: string, body: object) =>
  fetch(stack.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: stack.url },
    body: JSON.stringify(body),
  })

const readSecrets = () => readFile(join(dataDir, 'secrets.json'), 'utf8')

describe('one start after the other on the same data', () => {
  const credentials = { username: 'keeper', password: 'a long password' }
  let first: StackProcess
  let secrets: string

  beforeAll(async () => {
    await openFolder()
    await chmod(dataDir, 0o755)
    first = await spawnReady()
  })
  afterAll(closeFolder)

  test('a second start on the same data is rejected and leaves the first one alone', async () => {
    const second = await spawn()
    expect(await second.exited).toMatchObject({ code: 1 })
    expect(second.output()).toContain(`already running (pid ${first.pid})`)
    expect((await post(first, '/api/register', { ...credentials, email: 'keeper@example.com' })).ok).toBe(true)
  })

  test('it stops without a trace', async () => {
    secrets = await readSecrets()
    await first.stop()
    expect(await first.exited).toMatchObject({ code: 0 })
    expect(await livingProcesses(dataDir)).toEqual([])
    expect(await readdir(dataDir)).not.toContain('lock.json')
  })

  test('row 67: a data directory that everybody could read is closed, and so is all that comes into it', async () => {
    // An earlier release or a careless copy may leave it so.
    await execa('chmod', ['-R', 'a+rX', dataDir])
    const stack = await spawnReady()
    expect(await readSecrets()).toBe(secrets)
    expect((await post(stack, '/api/login', credentials)).ok, 'its data was kept').toBe(true)
    await stack.stop()
    const { stdout } = await execa('find', [dataDir, '-perm', '/077', '-not', '-type', 'l'])
    expect(stdout).toBe('')
  })

  test('after kill -9 the next start cleans up and runs, and stops although a service hangs', async () => {
    const killed = await spawnReady()
    // The cleanup must find the process that replaced the first one.
    process.kill(await childPid(killed, 'Redis (queue)'), 'SIGKILL')
    await expect.poll(killed.output).toContain('Redis (queue) is running again.')
    process.kill(killed.pid, 'SIGKILL')
    await killed.exited
    const next = await spawnReady({ DRAIN_SECONDS: '0' })
    expect(next.output()).toContain('The last run was killed')

    process.kill(await childPid(next, 'api,worker'), 'SIGSTOP')
    await next.stop()
    expect(next.output()).toContain('api,worker did not stop in time')
    expect(await livingProcesses(dataDir)).toEqual([])
  })
})

describe('a start that ends early', () => {
  beforeEach(openFolder)
  afterEach(closeFolder)

  test('a port in use is reported before anything starts', async () => {
    const server = createServer()
    const port = await listenLocally(server)
    try {
      await expectStartFailure(await spawn({ PORT: String(port) }), `Port ${port} is taken`)
    } finally {
      server.close()
    }
  })

  test('a data directory that can not be written to is reported', async () => {
    const file = join(dataDir, 'file')
    await writeFile(file, '')
    await expectStartFailure(await spawn({}, join(file, 'data')), /Can't write to the data directory .*file\/data/)
    await expectStartFailure(await spawn({}, '/proc/sallyport'), "Can't write to the data directory /proc/sallyport")
  })

  test('data of another version or another program is left alone', async () => {
    await writeFile(join(dataDir, 'version'), '99\n')
    await expectStartFailure(await spawn(), 'is of version "99"')
    const foreign = join(dataDir, 'foreign')
    await mkdir(foreign)
    await writeFile(join(foreign, 'thesis.txt'), '')
    await expectStartFailure(await spawn({}, foreign), 'was not made by Sallyport')
    expect(await readdir(foreign)).toEqual(['thesis.txt'])
  })

  test('it can be stopped while it starts', async () => {
    const stack = await spawn()
    await expect.poll(stack.output, { interval: 20 }).toContain('Postgres')
    await stack.stop()
    expect(await stack.exited).toMatchObject({ code: 0 })
    expect(await livingProcesses(dataDir)).toEqual([])
  })
})
