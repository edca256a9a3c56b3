import { mkdtempSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { adoptFolders, claimFolder } from './folders.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sallyport-spools-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const dead = (host: string, minutesAgo = 0) => {
  const path = join(root, `proxy-1.${host}.4194303.123`)
  mkdirSync(path)
  writeFileSync(join(path, 'a segment'), '')
  const time = new Date(Date.now() - minutesAgo * 60_000)
  utimesSync(path, time, time)
}

test('the folder of a living proxy is left alone, and goes when it is empty and given up', async () => {
  const folder = claimFolder(root)
  expect(await adoptFolders(root)).toEqual([])
  await folder.release()
  expect(readdirSync(root)).toEqual([])
})

test('of several that find a dead proxy at once, one takes its folder over', async () => {
  const own = claimFolder(root)
  const { host } = { host: own.path.split('.')[1]! }
  await own.release()
  dead(host)
  const me = { host, pid: process.pid }
  const adopters = Array.from({ length: 8 }, (_, at) => adoptFolders(root, { ...me, startTime: String(at) }))
  const adopted = (await Promise.all(adopters)).flat()
  expect(adopted).toHaveLength(1)
  expect(adopted[0]!.proxyId).toBe('proxy-1')
  expect(readdirSync(adopted[0]!.path)).toEqual(['a segment'])
})

test('what this process took over is its own', async () => {
  const { path, release } = claimFolder(root)
  await release()
  dead(path.split('.')[1]!)
  expect(await adoptFolders(root)).toHaveLength(1)
  expect(await adoptFolders(root)).toEqual([])
})

test('the folder of another host is taken over after minutes of silence only', async () => {
  dead('otherhost', 1)
  expect(await adoptFolders(root)).toEqual([])
  rmSync(root, { recursive: true })
  mkdirSync(root)
  dead('otherhost', 6)
  expect(await adoptFolders(root)).toHaveLength(1)
})
