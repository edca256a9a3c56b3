import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import { findTokenUsage } from './response-usage.ts'
import { Tail } from './tail.ts'
import type { TokenUsage } from './token-usage.ts'

const headBytes = 4 * kib

/** Finds the usage of a response that is not kept whole. */
export class UsageSearch {
  readonly #head = new GrowingBuffer()
  readonly #tail = new Tail()

  push(chunk: Buffer): void {
    const missing = headBytes - this.#head.length
    if (missing > 0) this.#head.append(chunk.length > missing ? chunk.subarray(0, missing) : chunk)
    this.#tail.push(chunk)
  }

  usage(): TokenUsage | undefined {
    return findTokenUsage(this.#tail.text(), this.#head.bytes().toString())
  }
}
