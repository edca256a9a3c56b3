import type { Duplex } from 'node:stream'

/** The open connections of a server, also those that another process accepted for it. */
export class Connections {
  readonly #open = new Set<Duplex>()
  /** Those that have not sent a request. Node takes them for busy ones, and would wait for them. */
  readonly #unused = new Set<Duplex>()
  readonly #gone = Promise.withResolvers<void>()
  /** From now on a connection ends with the response that is under way. */
  areClosing = false

  add(socket: Duplex): void {
    this.#open.add(socket)
    this.#unused.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#unused.delete(socket)
      if (this.areClosing && this.#open.size === 0) this.#gone.resolve()
    })
  }

  /** It has sent a request. */
  used(socket: Duplex): void {
    this.#unused.delete(socket)
  }

  endUnused(): void {
    for (const socket of this.#unused) socket.destroy()
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy()
  }

  /** Resolves once there are none left. */
  gone(): Promise<void> {
    if (this.#open.size === 0) this.#gone.resolve()
    return this.#gone.promise
  }
}
