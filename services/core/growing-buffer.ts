const empty = Buffer.alloc(0)
const smallestBytes = 1_024

/**
 * Collects chunks of bytes in one buffer. A list of chunks would cost about a hundred bytes per chunk, so a client that
 * sends single bytes could fill gigabytes.
 */
export class GrowingBuffer {
  #memory: Buffer = empty
  #length = 0
  /** False while the memory is the first chunk itself, which is copied only if a second one arrives. */
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
    this.#reserve(this.#length + chunk.length)
    this.#memory.set(chunk, this.#length)
    this.#length += chunk.length
  }

  /** @returns a view of all bytes, valid until the next change */
  bytes(): Buffer {
    return this.#memory.length === this.#length ? this.#memory : this.#memory.subarray(0, this.#length)
  }

  keepLast(count: number): void {
    if (this.#isOwn) this.#memory.copyWithin(0, this.#length - count, this.#length)
    else this.#memory = this.#memory.subarray(this.#length - count)
    this.#length = count
  }

  clear(): void {
    this.#memory = empty
    this.#length = 0
    this.#isOwn = false
  }

  #reserve(length: number): void {
    if (this.#isOwn && length <= this.#memory.length) return
    const memory = Buffer.allocUnsafeSlow(Math.max(length, this.#length * 2, smallestBytes))
    memory.set(this.#memory.subarray(0, this.#length))
    this.#memory = memory
    this.#isOwn = true
  }
}
