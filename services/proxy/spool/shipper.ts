import type { Logger } from '#core/logger.ts'
import { second } from '#core/units.ts'
import { adoptFolders } from './folders.ts'
import { type Publish, recoverFolder } from './recovery.ts'
import type { Spool } from './spool.ts'

const tickMs = 100
const pauseAfterFailureMs = second
const adoptEveryMs = 30 * second

/** Brings frozen segments to the queue, in order, and what dead proxies left on this disk as well. */
export class Shipper {
  readonly #spool: Spool
  readonly #root: string
  readonly #publish: Publish
  readonly #logger: Logger
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #adoptAt = 0
  readonly #adopted: string[] = []

  /** @param root the folder of all proxies' spools on this disk */
  constructor(spool: Spool, root: string, publish: Publish, logger: Logger) {
    this.#spool = spool
    this.#root = root
    this.#publish = publish
    this.#logger = logger
  }

  start(): void {
    this.#running = this.#tick()
  }

  /** Ships what is left. What the queue does not take stays on disk for the next proxy on this machine. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#running
    clearTimeout(this.#timer)
    await this.#shipAll({ force: true })
  }

  async #tick(): Promise<void> {
    let pauseMs = tickMs
    try {
      await this.#shipAll({ force: false })
      await this.#recover()
    } catch (error) {
      this.#logger.warn({ err: error }, 'the queue does not take log batches; they wait in the spool')
      pauseMs = pauseAfterFailureMs
    }
    this.#timer = setTimeout(() => this.start(), pauseMs)
  }

  async #shipAll({ force }: { force: boolean }): Promise<void> {
    for (let segment = this.#spool.next({ force }); segment; segment = this.#spool.next({ force })) {
      await this.#publish(segment.id, await segment.readEnds())
      await this.#spool.shipped(segment)
    }
  }

  async #recover(): Promise<void> {
    const now = performance.now()
    if (now < this.#adoptAt) return
    for (const folder of await adoptFolders(this.#root)) {
      this.#logger.info({ folder }, 'recovering the spool of a proxy that is gone')
      this.#adopted.push(folder)
    }
    for (let folder = this.#adopted[0]; folder; folder = this.#adopted[0]) {
      await recoverFolder(folder, this.#publish)
      this.#adopted.shift()
    }
    this.#adoptAt = now + adoptEveryMs
  }
}
