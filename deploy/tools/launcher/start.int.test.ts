import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type StackProcess, spawnStack } from '#tools/stack/launched-stack.ts'
import { listenLocally } from '#tools/process/listen.ts'
import { childPid, livingProcesses } from './start.fixture.ts'

// A stack takes its time to start on a busy machine, and some tests start two.
vi.setConfig({ testTimeout: 240_000 })

let dataDir: string
let stacks: StackProcess[]

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sallyport-start-'))
  stacks = []
})

afterEach(async () => {
  await Promise.all(stacks.map((stack) => stack.stop()))
  await rm(dataDir, { recursive: true, force: true })
})

const spawn = async (env: NodeJS.ProcessEnv = {}, directory = dataDir) => {
  const stack = await spawnStack({ dataDir: directory, env })
  stacks.push(stack)
  return stack
}

/** Its exit code is 1, and it said why. */
async function expectRefusal(stack: StackProcess, reason: string | RegExp): Promise<void> {
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

test('it stops without a trace and keeps its data for the next start', async () => {
  const credentials = { username: 'keeper', password: 'a long password' }
  const first = await spawn()
  await first.ready()
  const registered = await post(first, '/api/register', { ...credentials, email: 'keeper@example.com' })
  expect(registered.ok).toBe(true)
  const secrets = await readFile(join(dataDir, 'secrets.json'), 'utf8')
  await first.stop()
  expect(await first.exited).toMatchObject({ code: 0 })
  expect(await livingProcesses(dataDir)).toEqual([])
  expect(await readdir(dataDir)).not.toContain('lock.json')

  const second = await spawn()
  await second.ready()
  expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).toBe(secrets)
  expect((await post(second, '/api/login', credentials)).ok).toBe(true)
})

test('row 67: a data directory that everybody could read is closed, and so is all that comes into it', async () => {
  await chmod(dataDir, 0o755)
  const first = await spawn()
  await first.ready()
  await first.stop()
  // As an earlier release may have left it, and as a careless copy does.
  await execa('chmod', ['-R', 'a+rX', dataDir])
  const second = await spawn()
  await second.ready()
  await post(second, '/api/register', { username: 'keeper', password: 'a long password', email: 'keeper@example.com' })
  await second.stop()
  const { stdout } = await execa('find', [dataDir, '-perm', '/077', '-not', '-type', 'l'])
  expect(stdout).toBe('')
})

test('a second start on the same data is refused and leaves the first one alone', async () => {
  const first = await spawn()
  await first.ready()
  const second = await spawn()
  expect(await second.exited).toMatchObject({ code: 1 })
  expect(second.output()).toContain(`already running (pid ${first.pid})`)
  expect((await fetch(`${first.url}/healthz`)).status).toBe(200)
})

test('a taken port is named before anything starts', async () => {
  const server = createServer()
  const port = await listenLocally(server)
  try {
    await expectRefusal(await spawn({ PORT: String(port) }), `Port ${port} is taken`)
  } finally {
    server.close()
  }
})

test('a data directory that can not be written to is named', async () => {
  const file = join(dataDir, 'file')
  await writeFile(file, '')
  await expectRefusal(await spawn({}, join(file, 'data')), /Can't write to the data directory .*file\/data/)
  await expectRefusal(await spawn({}, '/proc/sallyport'), "Can't write to the data directory /proc/sallyport")
})

test('data of another version or of somebody else is left alone', async () => {
  await writeFile(join(dataDir, 'version'), '99\n')
  await expectRefusal(await spawn(), 'is of version "99"')
  const foreign = join(dataDir, 'foreign')
  await mkdir(foreign)
  await writeFile(join(foreign, 'thesis.txt'), '')
  await expectRefusal(await spawn({}, foreign), 'was not made by Sallyport')
  expect(await readdir(foreign)).toEqual(['thesis.txt'])
})

test('after kill -9 the next start cleans up and runs', async () => {
  const first = await spawn()
  await first.ready()
  // Of the processes that were started again, the current ones are cleaned up.
  process.kill(await childPid(first, 'Redis (queue)'), 'SIGKILL')
  await expect.poll(first.output).toContain('Redis (queue) is running again.')
  process.kill(first.pid, 'SIGKILL')
  await first.exited
  const second = await spawn()
  await second.ready()
  expect(second.output()).toContain('The last run was killed')
  await second.stop()
  expect(await livingProcesses(dataDir)).toEqual([])
})

test('what hangs does not keep it from stopping', async () => {
  const stack = await spawn()
  await stack.ready()
  process.kill(await childPid(stack, 'api,worker'), 'SIGSTOP')
  await stack.stop()
  expect(stack.output()).toContain('api,worker did not stop in time')
  expect(await livingProcesses(dataDir)).toEqual([])
})

test('it can be stopped while it starts', async () => {
  const stack = await spawn()
  await expect.poll(stack.output, { interval: 20 }).toContain('Postgres')
  await stack.stop()
  expect(await stack.exited).toMatchObject({ code: 0 })
  expect(await livingProcesses(dataDir)).toEqual([])
})
