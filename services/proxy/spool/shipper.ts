import { stat, statfs, utimes } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '#core/errors.ts'
import type { Logger } from '#core/logger.ts'
import { second } from '#core/units.ts'
import { adoptFolders, heartbeatMs, type Heartbeats } from './folders.ts'
import { type Publish, Recovery } from './recovery.ts'
import type { ProxyReporter } from './report.ts'
import type { Segment } from './segment.ts'
import { alertAt, type Spool } from './spool.ts'

const tickMs = 100
const pauseAfterFailureMs = second
const diskEveryMs = second
const adoptEveryMs = 30 * second

/** Parallel batches: the queue's Redis syncs them to disk together. */
const concurrency = 4

interface ShipperOptions {
  spool: Spool
  /** The folder with the spools of all proxies on this disk. */
  root: string
  /** Number of queue shards. They are independent: an unavailable one does not delay the others. */
  shards: number
  publish: Publish
  reporter: ProxyReporter
  logger: Logger
}

/** Ships frozen segments to the queue, and recovers the spools of dead proxies on this disk. */
export class Shipper {
  readonly #options: ShipperOptions
  readonly #loops: Promise<void>[] = []
  readonly #stopping = new AbortController()
  readonly #recoveries: Recovery[] = []
  /** Their folders are gone, perhaps only until a volume is mounted again. */
  readonly #missing: Recovery[] = []
  readonly #heartbeats: Heartbeats = new Map()
  #heartbeat: NodeJS.Timeout | undefined
  #removing: Promise<void> | undefined
  #diskAt = 0
  #adoptAt = 0
  #isAlerted = false

  constructor(options: ShipperOptions) {
    this.#options = options
  }

  start(): void {
    // A recovery waits as long as the queue is down, and other hosts would take over its folder meanwhile.
    this.#heartbeat = setInterval(() => {
      const now = new Date()
      for (const { folder } of this.#recoveries) void utimes(folder.path, now, now).catch(() => undefined)
    }, heartbeatMs)
    this.#loops.push(
      this.#loop(() => this.#ship()),
      ...this.#otherShards().map((shard) => this.#loop(() => this.#shipAll({ shard, force: false }))),
      this.#loop(() => this.#recover()),
    )
  }

  /** Ships the rest. Anything the queue does not accept stays on disk for the next proxy on this machine. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#loops)
    clearInterval(this.#heartbeat)
    const shards = [0, ...this.#otherShards()]
    const results = await Promise.allSettled(shards.map((shard) => this.#shipAll({ shard, force: true })))
    await this.#options.reporter.close()
    await this.#removeShipped()
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }

  #otherShards(): number[] {
    return Array.from({ length: this.#options.shards - 1 }, (_, index) => index + 1)
  }

  async #loop(step: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping
    let isFailing = false
    while (!signal.aborted) {
      try {
        await step()
        isFailing = false
      } catch (error) {
        if (!isFailing) this.#options.logger.warn({ err: error }, 'log batches could not be shipped; trying again')
        isFailing = true
      }
      await sleep(isFailing ? pauseAfterFailureMs : tickMs, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Ships to the first shard, whose Redis also has the delivery counters, and does the work common to all shards. */
  async #ship(): Promise<void> {
    const now = performance.now()
    if (now >= this.#diskAt) {
      this.#diskAt = now + diskEveryMs
      await this.#watchDisk()
    }
    await this.#shipAll({ shard: 0, force: false })
    await this.#options.reporter.report()
  }

  async #shipAll({ shard, force }: { shard: number; force: boolean }): Promise<void> {
    const { spool } = this.#options
    for (;;) {
      const segments = spool.next({ force, shard, limit: concurrency })
      try {
        const results = await Promise.allSettled(segments.map((segment) => this.#publish(segment)))
        for (const result of results) if (result.status === 'rejected') throw result.reason
      } finally {
        await this.#removeShipped()
      }
      if (segments.length < concurrency) return
    }
  }

  /** One run at a time. */
  async #removeShipped(): Promise<void> {
    const { spool, reporter } = this.#options
    this.#removing ??= spool.removeShipped(reporter.reportedTotal).finally(() => (this.#removing = undefined))
    await this.#removing
  }

  async #publish(segment: Segment): Promise<void> {
    const { spool, publish } = this.#options
    await publish({ id: segment.batchId, count: segment.endCount, text: await segment.readText() })
    spool.markShipped(segment)
  }

  async #watchDisk(): Promise<void> {
    const { spool, root, logger } = this.#options
    const disk = await statfs(root)
    const foreign = await Promise.all(this.#recoveries.map((recovery) => recovery.bytes().catch(() => 0)))
    const foreignBytes = foreign.reduce((sum, bytes) => sum + bytes, 0)
    spool.noteDisk({ freeBytes: disk.bavail * disk.bsize, foreignBytes })
    const isAlert = spool.fullness >= alertAt
    if (isAlert && !this.#isAlerted)
      logger.error({ fullness: spool.fullness, bytes: spool.bytes }, 'the spool is filling up')
    this.#isAlerted = isAlert
  }

  async #recover(): Promise<void> {
    const { root, logger } = this.#options
    const now = performance.now()
    if (now >= this.#adoptAt) {
      this.#adoptAt = now + adoptEveryMs
      for (const folder of await adoptFolders(root, this.#heartbeats)) {
        logger.info({ folder: folder.path }, 'recovering the spool of a dead proxy')
        this.#recoveries.push(new Recovery(folder))
      }
      // No proxy adopts these, because their owner, this one, is alive.
      for (const recovery of this.#missing.splice(0))
        ((await isGone(recovery.folder.path)) ? this.#missing : this.#recoveries).push(recovery)
    }
    for (let recovery = this.#recoveries[0]; recovery; recovery = this.#recoveries[0]) {
      if (await isGone(recovery.folder.path)) {
        logger.error(
          { folder: recovery.folder.path },
          'the spool of a dead proxy is gone: it was removed or unmounted, or another proxy has taken it over',
        )
        this.#missing.push(recovery)
        this.#recoveries.shift()
        continue
      }
      try {
        await this.#recoverOne(recovery)
        this.#recoveries.shift()
      } catch (error) {
        // Behind the others, because it may be the only one that can't be read.
        this.#recoveries.push(...this.#recoveries.splice(0, 1))
        throw error
      }
    }
  }

  async #recoverOne(recovery: Recovery): Promise<void> {
    const { publish, reporter } = this.#options
    await recovery.prepare()
    await reporter.reportAccepted(recovery.folder.proxyId, recovery.accepted)
    await recovery.publishAll(publish)
    await reporter.reportGone(recovery.folder.proxyId)
    await recovery.finish()
  }
}

/** Not while a volume can't be read. */
const isGone = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error: unknown) => codeOf(error) === 'ENOENT',
  )
