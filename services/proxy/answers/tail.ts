import { kib } from '#core/units.ts'

/** Usage stands at the end of an answer; more than this is not worth keeping. */
const keptBytes = 64 * kib

/** The last part of a long answer. */
export class Tail {
  readonly #chunks: Buffer[] = []
  #bytes = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#chunks.length > 1 && this.#bytes - this.#chunks[0]!.length >= keptBytes) {
      this.#bytes -= this.#chunks.shift()!.length
    }
  }

  text(): string {
    return Buffer.concat(this.#chunks, this.#bytes).toString()
  }
}
