import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { minute } from '#core/units.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { claimFolder, heartbeatMs } from './folders.ts'
import type { Publish } from './recovery.ts'
import { Shipper } from './shipper.ts'
import { Spool } from './spool.ts'

let root: string
/** Of dead proxies whose spools are recovered. */
let gone: string[]
beforeEach(() => {
  root = temporaryFolder()
  gone = []
})
afterEach(() => void vi.useRealTimers())

/** Leaves the spool of a proxy that died on this host with a request in progress. @returns its folder */
async function addDead(proxyId: string): Promise<string> {
  const own = claimFolder(root)
  const [, host] = own.path.split('.')
  await own.release()
  const path = join(root, `${proxyId}.${host}.4194303.123`)
  mkdirSync(path)
  const spool = new Spool(path, { maxBytes: 2 ** 30 })
  spool.confirm(spool.begin(requestEvent()))
  return path
}

function startShipper(publish: Publish, log: (line: string) => void = () => undefined) {
  const folder = claimFolder(root)
  const spool = new Spool(folder.path, { maxBytes: 2 ** 30 })
  const shipper = new Shipper({
    spool,
    root,
    shards: 1,
    publish,
    reporter: {
      reportedTotal: 0,
      isGone: false,
      report: async () => undefined,
      reportAccepted: async () => undefined,
      reportGone: async (id) => void gone.push(id),
      close: async () => undefined,
    },
    logger: pino({}, { write: log }),
  })
  onTestFinished(async () => {
    await shipper.stop()
    await folder.release()
  })
  shipper.start()
  return { spool, path: folder.path }
}

test('the spool of a dead proxy stays with the proxy that recovers it while the queue is down', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  await addDead('dead')
  let isWaiting = false
  startShipper(async () => {
    isWaiting = true
    throw new Error('the queue is not connected')
  })
  await expect.poll(() => isWaiting).toBe(true)
  const path = join(root, readdirSync(root).find((name) => name.startsWith('dead.')) ?? '')
  utimesSync(path, 0, 0)
  vi.advanceTimersByTime(heartbeatMs)
  await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(0)
})

test('a spool that an operator removes does not hold back those of other dead proxies', async () => {
  for (const id of ['dead-1', 'dead-2']) await addDead(id)
  let isDown = true
  let attempts = 0
  startShipper(async () => {
    attempts += 1
    if (!isDown) return
    for (const name of readdirSync(root)) if (name.startsWith('dead-1.')) rmSync(join(root, name), { recursive: true })
    isDown = false
    throw new Error('the queue is not connected')
  })
  await expect.poll(() => gone, { timeout: 20_000 }).toEqual(['dead-2'])
  expect(attempts).toBe(2)
})

test('nor does one that cannot be read', async () => {
  mkdirSync(join(await addDead('dead-1'), 'unreadable.batch.segment'))
  await addDead('dead-2')
  startShipper(async () => undefined)
  await expect.poll(() => gone, { timeout: 20_000 }).toEqual(['dead-2'])
})

test('a spool whose volume was unmounted for a while is recovered once it is back', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await addDead('dead')
  const elsewhere = join(temporaryFolder(), 'dead')
  let path = ''
  let logged = ''
  startShipper(
    async () => {
      if (path) return
      path = join(root, readdirSync(root).find((name) => name.startsWith('dead.')) ?? '')
      renameSync(path, elsewhere)
      throw new Error('the queue is not connected')
    },
    (line) => void (logged += line),
  )
  await expect.poll(() => logged, { timeout: 20_000 }).toContain('the spool of a dead proxy is gone')
  renameSync(elsewhere, path)
  vi.advanceTimersByTime(minute)
  await expect.poll(() => gone, { timeout: 20_000 }).toEqual(['dead'])
})

test('segments that cannot be read do not hold back later ones, and are shipped once they are back', async () => {
  let isDown = true
  let shipped = ''
  const { spool, path } = startShipper(async ({ text }) => {
    if (isDown) throw new Error('the queue is not connected')
    shipped += Buffer.concat(text).toString()
  })
  const end = () => {
    const event = requestEvent()
    void spool.end(event)
    spool.next({ force: true })
    return event.id
  }
  // More than the spool keeps in memory and ships at once.
  const ids = Array.from({ length: 20 }, end)
  const elsewhere = join(temporaryFolder(), 'unmounted')
  renameSync(path, elsewhere)
  mkdirSync(path)
  const later = end()
  isDown = false
  await expect.poll(() => shipped, { timeout: 20_000 }).toContain(later)
  rmSync(path, { recursive: true })
  renameSync(elsewhere, path)
  await expect.poll(() => ids.filter((id) => !shipped.includes(id)), { timeout: 20_000 }).toEqual([])
})
