import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'

const keptBytes = 16 * kib

/** The last part of a long response, where its usage is. */
export class Tail {
  readonly #bytes = new GrowingBuffer()

  push(chunk: Buffer): void {
    this.#bytes.append(chunk)
    // Not for every chunk, because it copies what is kept.
    if (this.#bytes.length > 2 * keptBytes) this.#bytes.keepLast(keptBytes)
  }

  text(): string {
    return this.#bytes.bytes().subarray(-keptBytes).toString()
  }
}
