import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { takeLock } from './lock.ts'

let folder: string
beforeEach(() => void (folder = temporaryFolder()))

test('a restarted child replaces the one that ended', async () => {
  const lock = await takeLock(folder)
  const child = { pid: process.pid, stopSignal: 'SIGTERM' } as const
  await Promise.all([
    lock.setChild({ ...child, name: 'Postgres', pid: process.ppid }),
    lock.setChild({ ...child, name: 'proxy' }),
  ])
  await lock.setChild({ ...child, name: 'Postgres' })
  const { children } = JSON.parse(await readFile(join(folder, 'lock.json'), 'utf8'))
  expect(children).toMatchObject([
    { name: 'proxy', pid: process.pid },
    { name: 'Postgres', pid: process.pid },
  ])
  await lock.release()
})

test('a child that can not be recorded, as on a full disk, runs all the same and is recorded later', async () => {
  const lock = await takeLock(folder)
  const child = { pid: process.pid, stopSignal: 'SIGTERM' } as const
  await rm(folder, { recursive: true })
  await lock.setChild({ ...child, name: 'Postgres' })
  await mkdir(folder)
  await lock.setChild({ ...child, name: 'proxy' })
  const { children } = JSON.parse(await readFile(join(folder, 'lock.json'), 'utf8'))
  expect(children).toMatchObject([{ name: 'Postgres' }, { name: 'proxy' }])
})
