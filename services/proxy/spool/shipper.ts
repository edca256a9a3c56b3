import { statfs } from 'node:fs/promises'
import type { Logger } from '#core/logger.ts'
import { second } from '#core/units.ts'
import { adoptFolders } from './folders.ts'
import { type Publish, Recovery } from './recovery.ts'
import type { Segment } from './segment.ts'
import { alertAt, type Spool } from './spool.ts'

const tickMs = 100
const pauseAfterFailureMs = second
const diskEveryMs = second
const adoptEveryMs = 30 * second

/** Batches under way to the queue at once: its disk writes them together. */
const parallel = 4

/** Tells the pipeline's accounts what this proxy accepted and what of it still waits. */
export interface ProxyReporter {
  report(): Promise<void>
  /** What a proxy had accepted in all before it died. */
  reportAccepted(proxyId: string, accepted: number): Promise<void>
  /** Nothing of this proxy waits any more, and it will not come back. */
  reportGone(proxyId: string): Promise<void>
}

interface ShipperOptions {
  spool: Spool
  /** The folder of all proxies' spools on this disk. */
  root: string
  publish: Publish
  reporter: ProxyReporter
  logger: Logger
}

/** Brings frozen segments to the queue, and beside that what dead proxies left on this disk. */
export class Shipper {
  readonly #options: ShipperOptions
  readonly #loops: Promise<void>[] = []
  readonly #stopping = new AbortController()
  readonly #recoveries: Recovery[] = []
  #diskAt = 0
  #adoptAt = 0
  #isAlerted = false

  constructor(options: ShipperOptions) {
    this.#options = options
  }

  start(): void {
    this.#loops.push(
      this.#loop(() => this.#ship()),
      this.#loop(() => this.#recover()),
    )
  }

  /** Ships what is left. What the queue does not take stays on disk for the next proxy on this machine. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#loops)
    await this.#shipAll({ force: true })
  }

  async #loop(step: () => Promise<void>): Promise<void> {
    let isFailing = false
    while (!this.#stopping.signal.aborted) {
      try {
        await step()
        isFailing = false
      } catch (error) {
        if (!isFailing) this.#options.logger.warn({ err: error }, 'log batches wait in the spool')
        isFailing = true
      }
      await this.#pause(isFailing ? pauseAfterFailureMs : tickMs)
    }
  }

  async #ship(): Promise<void> {
    const now = performance.now()
    if (now >= this.#diskAt) {
      this.#diskAt = now + diskEveryMs
      await this.#watchDisk()
    }
    await this.#shipAll({ force: false })
    await this.#options.reporter.report()
  }

  async #shipAll({ force }: { force: boolean }): Promise<void> {
    const { spool } = this.#options
    for (;;) {
      const segments = spool.next({ force, limit: parallel })
      try {
        const results = await Promise.allSettled(segments.map((segment) => this.#publish(segment)))
        for (const result of results) if (result.status === 'rejected') throw result.reason
      } finally {
        await spool.removeShipped()
      }
      if (segments.length < parallel) return
    }
  }

  async #publish(segment: Segment): Promise<void> {
    const { spool, publish } = this.#options
    const lines = await segment.readEnds()
    await publish({ id: segment.batchId, lines, firstEndAt: segment.firstEndAt ?? segment.openedAt })
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
      logger.error({ fullness: spool.fullness, bytes: spool.bytes }, 'the spool fills up')
    this.#isAlerted = isAlert
  }

  async #recover(): Promise<void> {
    const { root, logger, publish, reporter } = this.#options
    const now = performance.now()
    if (now >= this.#adoptAt) {
      this.#adoptAt = now + adoptEveryMs
      for (const folder of await adoptFolders(root)) {
        logger.info({ folder: folder.path }, 'recovering the spool of a proxy that is gone')
        this.#recoveries.push(new Recovery(folder))
      }
    }
    for (let recovery = this.#recoveries[0]; recovery; recovery = this.#recoveries[0]) {
      await recovery.prepare()
      await reporter.reportAccepted(recovery.folder.proxyId, recovery.accepted)
      await recovery.publishAll(publish)
      await reporter.reportGone(recovery.folder.proxyId)
      await recovery.finish()
      this.#recoveries.shift()
    }
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping
    if (signal.aborted) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    const wake = () => resolve()
    signal.addEventListener('abort', wake, { once: true })
    return promise.finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
    })
  }
}
