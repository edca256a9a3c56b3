/** Lets in as much as fits: what is too much at once waits, first come first served. */
export class ByteBudget {
  readonly #limit: number
  readonly #queue: { bytes: number; enter: () => void }[] = []
  #used = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** @returns how to give the bytes back. Something larger than the whole budget gets in alone. */
  async take(bytes: number): Promise<() => void> {
    if (this.#queue.length > 0 || !this.#fits(bytes)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#queue.push({ bytes, enter: resolve })
      await promise
    } else {
      this.#used += bytes
    }
    return () => {
      this.#used -= bytes
      this.#letIn()
    }
  }

  #fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#limit
  }

  #letIn(): void {
    for (let next = this.#queue[0]; next && this.#fits(next.bytes); next = this.#queue[0]) {
      this.#queue.shift()
      this.#used += next.bytes
      next.enter()
    }
  }
}
