import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import { findTokenUsage, type TokenUsage, usageOfResponse } from '../usage/token-usage.ts'
import type { ProviderResponse, ResponseHead, ResponseSink } from './response.ts'
import { Tail } from './tail.ts'

/** Responses up to this size are held until they are complete, so that the headers can include their cost. */
const heldBytes = 256 * kib

export class JsonResponse implements ProviderResponse {
  readonly pieces = 0
  readonly #sink: ResponseSink
  readonly #head: ResponseHead
  readonly #summarise: (usage: TokenUsage | undefined) => string[]
  readonly #tail = new Tail()
  #held: GrowingBuffer | undefined = new GrowingBuffer()
  #usage: TokenUsage | undefined

  /** @param summarise returns headers about the usage; called once, before the head is sent */
  constructor(sink: ResponseSink, head: ResponseHead, summarise: (usage: TokenUsage | undefined) => string[]) {
    this.#sink = sink
    this.#head = head
    this.#summarise = summarise
  }

  push(chunk: Buffer): boolean {
    if (!this.#held) {
      this.#tail.push(chunk)
      return this.#sink.write(chunk)
    }
    this.#held.append(chunk)
    const mayHold = this.#held.length <= heldBytes && this.#sink.reserve(chunk.length)
    return mayHold || this.#flush(this.#held.bytes())
  }

  end(): void {
    if (this.#held) {
      const body = this.#held.bytes()
      this.#usage = usageOfResponse(body)
      this.#head.headers.push(...this.#summarise(this.#usage))
      this.#sink.writeHead(this.#head)
      this.#sink.end(body.length > 0 ? body : undefined)
    } else {
      this.#usage = findTokenUsage(this.#tail.text())
      this.#sink.end()
    }
  }

  whole(): Buffer | undefined {
    return this.#held?.bytes()
  }

  usage(): TokenUsage | undefined {
    return this.#usage
  }

  #flush(held: Buffer): boolean {
    this.#held = undefined
    this.#sink.writeHead(this.#head)
    this.#tail.push(held)
    return this.#sink.write(held)
  }
}
