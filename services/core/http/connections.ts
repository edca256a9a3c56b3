import type { Duplex } from 'node:stream'

/** The open connections of a server, including those that another process accepted for it. */
export class Connections {
  readonly #open = new Set<Duplex>()
  /** Connections that have not sent a request yet. Node considers them busy and would wait for them. */
  readonly #unused = new Set<Duplex>()
  /** True if each connection ends with its current response. */
  areClosing = false
  #areDestroyed = false

  add(socket: Duplex): void {
    this.#open.add(socket)
    this.#unused.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#unused.delete(socket)
    })
    if (this.#areDestroyed) socket.destroy()
  }

  get count(): number {
    return this.#open.size
  }

  [Symbol.iterator](): Iterator<Duplex> {
    return this.#open.values()
  }

  markUsed(socket: Duplex): void {
    this.#unused.delete(socket)
  }

  /** @param share of the unused connections, of which the oldest end */
  endUnused(share = 1): void {
    const ended = [...this.#unused].slice(0, Math.floor(this.#unused.size * share))
    for (const socket of ended) socket.destroy()
  }

  /** Also those that arrive later. */
  destroyAll(): void {
    this.#areDestroyed = true
    for (const socket of this.#open) socket.destroy()
  }

  async closed(): Promise<void> {
    // Each also leaves the set when it closes.
    for (const socket of this.#open) await new Promise((resolve) => socket.once('close', resolve))
  }
}
