const nothing = Buffer.alloc(0)
const smallestBytes = 1_024

/**
 * Bytes that arrive in chunks of any size, kept in one piece of memory. A list of chunks would cost a hundred bytes for
 * each of them, which a sender of single bytes could turn into gigabytes.
 */
export class GrowingBuffer {
  #memory: Buffer = nothing
  #length = 0
  /** The first chunk is kept as it is: most often there is no second one. */
  #isOwn = false

  get length(): number {
    return this.#length
  }

  append(chunk: Uint8Array): void {
    if (this.#length === 0 && !this.#isOwn) {
      this.#memory = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
      this.#length = chunk.length
      return
    }
    this.#makeRoom(this.#length + chunk.length)
    this.#memory.set(chunk, this.#length)
    this.#length += chunk.length
  }

  /** @returns a view of all bytes, which holds until the next change */
  bytes(): Buffer {
    return this.#memory.length === this.#length ? this.#memory : this.#memory.subarray(0, this.#length)
  }

  /** Keeps the last bytes only. */
  keepLast(count: number): void {
    if (this.#isOwn) this.#memory.copyWithin(0, this.#length - count, this.#length)
    else this.#memory = this.#memory.subarray(this.#length - count)
    this.#length = count
  }

  clear(): void {
    this.#memory = nothing
    this.#length = 0
    this.#isOwn = false
  }

  #makeRoom(length: number): void {
    if (this.#isOwn && length <= this.#memory.length) return
    const memory = Buffer.allocUnsafeSlow(Math.max(length, this.#length * 2, smallestBytes))
    memory.set(this.#memory.subarray(0, this.#length))
    this.#memory = memory
    this.#isOwn = true
  }
}
