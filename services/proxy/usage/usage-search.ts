import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import { findTokenUsage } from './response-usage.ts'
import type { TokenUsage } from './token-usage.ts'

const [headBytes, tailBytes] = [2 * kib, 16 * kib]

/** Finds the usage of a response at its beginning and end, without keeping all of it. */
export class UsageSearch {
  readonly #bytes = new GrowingBuffer()
  #head: string | undefined

  push(chunk: Buffer): void {
    this.#bytes.append(chunk)
    // Not for every chunk, because it copies the kept bytes.
    if (this.#bytes.length <= 2 * tailBytes) return
    this.#head ??= this.#readHead()
    this.#bytes.keepLast(tailBytes)
  }

  /** Decodes as Latin-1, because only ASCII is searched for. */
  usage(): TokenUsage | undefined {
    const head = this.#head ?? this.#readHead()
    return findTokenUsage(this.#bytes.bytes().subarray(-tailBytes).toString('latin1'), head)
  }

  #readHead(): string {
    return this.#bytes.bytes().toString('latin1', 0, headBytes)
  }
}
