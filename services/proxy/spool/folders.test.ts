import { mkdirSync, readdirSync, renameSync, rmdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { adoptFolders, claimFolder, type Heartbeats } from './folders.ts'

let root: string
beforeEach(() => void (root = temporaryFolder()))
afterEach(() => void vi.useRealTimers())

const dead = (host: string, minutesAgo = 0) => {
  const path = join(root, `proxy-1.${host}.4194303.123`)
  mkdirSync(path)
  writeFileSync(join(path, 'a segment'), '')
  const time = new Date(Date.now() - minutesAgo * 60_000)
  utimesSync(path, time, time)
}

test('the folder of a living proxy is not adopted, and removed on release if it is empty', async () => {
  const folder = claimFolder(root)
  expect(await adoptFolders(root)).toEqual([])
  await folder.release()
  expect(readdirSync(root)).toEqual([])
})

test('a folder that is kept on release stays, for the next proxy', async () => {
  const folder = claimFolder(root)
  await folder.release(true)
  expect(readdirSync(root)).toHaveLength(1)
})

test('of several proxies that find the folder of a dead one, one adopts it', async () => {
  const { path, release } = claimFolder(root)
  await release()
  dead(path.split('.')[1]!)
  const adopted = (await Promise.all(Array.from({ length: 8 }, () => adoptFolders(root)))).flat()
  expect(adopted).toHaveLength(1)
  expect(adopted[0]!.proxyId).toBe('proxy-1')
  expect(readdirSync(adopted[0]!.path)).toEqual(['a segment'])
})

test('an adopted folder is not adopted again', async () => {
  const { path, release } = claimFolder(root)
  await release()
  dead(path.split('.')[1]!)
  expect(await adoptFolders(root)).toHaveLength(1)
  expect(await adoptFolders(root)).toEqual([])
})

test('the folder of another host is adopted after minutes of silence only, also if the clock jumps', async () => {
  const heartbeats: Heartbeats = new Map()
  dead('otherhost', 1)
  dead('resumed', 7)
  dead('another', 7)
  expect(await adoptFolders(root, heartbeats)).toEqual([])
  const heartbeat = new Date(Date.now() - 6 * 60_000)
  utimesSync(join(root, 'proxy-1.resumed.4194303.123'), heartbeat, heartbeat)
  expect(await adoptFolders(root, heartbeats)).toHaveLength(1)
  expect(readdirSync(root).filter((name) => name.includes('another'))).toEqual([])
})

test('a proxy that was suspended itself adopts nothing until others had time for a heartbeat', async () => {
  const heartbeats: Heartbeats = new Map()
  dead('suspended', 1)
  await adoptFolders(root, heartbeats)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 })
  expect(await adoptFolders(root, heartbeats)).toEqual([])
  expect(await adoptFolders(root, heartbeats)).toHaveLength(1)
})

test('a proxy ends whose folder was adopted while it was suspended; one whose folder was removed recreates it', () => {
  vi.useFakeTimers()
  const { path } = claimFolder(root)
  rmdirSync(path)
  vi.advanceTimersByTime(5_000)
  renameSync(path, join(root, 'adopted'))
  vi.setSystemTime(Date.now() + 2 * 60_000)
  expect(() => vi.advanceTimersByTime(5_000)).toThrow('suspended')
})
