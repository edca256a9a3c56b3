import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'

/** Usage stands at the end of a response; more than this is not worth keeping. */
const keptBytes = 16 * kib

/** The last part of a long response. */
export class Tail {
  readonly #bytes = new GrowingBuffer()

  push(chunk: Buffer): void {
    this.#bytes.append(chunk)
    // Not at every chunk, because what stays is copied.
    if (this.#bytes.length > 2 * keptBytes) this.#bytes.keepLast(keptBytes)
  }

  text(): string {
    return this.#bytes.bytes().subarray(-keptBytes).toString()
  }
}
