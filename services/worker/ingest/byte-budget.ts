/** A FIFO semaphore of bytes. A request for more than the whole budget waits until nothing else is taken. */
export class ByteBudget {
  readonly #limit: number
  readonly #queue: { bytes: number; admit: () => void }[] = []
  #used = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** @returns a function that releases the bytes */
  async take(bytes: number): Promise<() => void> {
    if (this.#queue.length > 0 || !this.#fits(bytes)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#queue.push({ bytes, admit: resolve })
      await promise
    } else {
      this.#used += bytes
    }
    return () => {
      this.#used -= bytes
      this.#admitNext()
    }
  }

  #fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#limit
  }

  #admitNext(): void {
    for (let next = this.#queue[0]; next && this.#fits(next.bytes); next = this.#queue[0]) {
      this.#queue.shift()
      this.#used += next.bytes
      next.admit()
    }
  }
}
