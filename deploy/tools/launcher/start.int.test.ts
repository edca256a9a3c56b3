import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type StackProcess, spawnStack } from '#tools/stack/launched-stack.ts'
import { listenLocally } from '#tools/process/listen.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { livingProcesses } from './start.fixture.ts'

// A stack starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

let dataDir: string
const stacks: StackProcess[] = []

beforeEach(() => void (dataDir = temporaryFolder()))
afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.stop()))
})

const spawn = async (env: NodeJS.ProcessEnv = {}, directory = dataDir) => {
  const stack = await spawnStack({ dataDir: directory, env })
  stacks.push(stack)
  return stack
}

async function expectStartFailure(stack: StackProcess, reason: string | RegExp): Promise<void> {
  expect(await stack.exited).toMatchObject({ code: 1 })
  expect(stack.output()).toMatch(reason)
  expect(await livingProcesses(dataDir)).toEqual([])
}

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

test('a start can be stopped', async () => {
  const stack = await spawn()
  await expect.poll(stack.output, { interval: 20 }).toContain('Postgres')
  await stack.stop()
  expect(await stack.exited).toMatchObject({ code: 0 })
  expect(await livingProcesses(dataDir)).toEqual([])
})
