import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import { ResponseExcerpt } from './response-excerpt.ts'
import { beginsJob, endsGoogleResponse, findGoogleUsage, findTokenUsage, usageOfResponse } from './response-usage.ts'
import type { TokenUsage } from './token-usage.ts'

const [headBytes, tailBytes] = [2 * kib, 16 * kib]

/** The events of a stream of the Responses API or an interaction, and the one that ends it and contains the whole response. */
const anyEvent = /^event: ?(?:response|interaction)\./
const lastEvent = /event: ?(?:response\.(?:completed|incomplete|failed)|interaction\.completed?)[\r\n]/
const longestName = 'event: interaction.completed\n'.length

/**
 * Finds the usage of a stream at its beginning and end, without keeping all of it. In a stream of the Responses API, or an
 * interaction, only the last event counts: the others repeat what the client wrote.
 */
export class UsageSearch {
  readonly #bytes = new GrowingBuffer()
  readonly #isGoogle: boolean
  /** Undefined until enough bytes have arrived. */
  #isResponsesStream: boolean | undefined
  #lastEvent: ResponseExcerpt | undefined
  #head: string | undefined
  #hasEnded = false

  /** @param isGoogle whether it is a stream of Google's, in which calls of tools could contain another `usage` */
  constructor(isGoogle = false) {
    this.#isGoogle = isGoogle
  }

  push(chunk: Buffer): void {
    if (this.#lastEvent) return this.#lastEvent.push(chunk)
    this.#bytes.append(chunk)
    if (this.#bytes.length > longestName) this.#isResponsesStream ??= anyEvent.test(this.#text(0, longestName))
    if (this.#isResponsesStream) this.#beginLastEvent(chunk.length)
    // Not for every chunk, because it copies the kept bytes.
    if (this.#bytes.length <= 2 * tailBytes) return
    this.#head ??= this.#text(0, headBytes)
    if (this.#isGoogle) this.#hasEnded ||= endsGoogleResponse(this.#text(0))
    this.#bytes.keepLast(tailBytes)
  }

  /** Decodes as Latin-1, because only ASCII is searched for. */
  usage(): TokenUsage | undefined {
    if (this.#isResponsesStream) return this.#lastEvent && usageOfResponse(this.#lastEvent.json())
    const tail = this.#bytes.bytes().subarray(-tailBytes).toString('latin1')
    const head = this.#head ?? this.#text(0, headBytes)
    if (!this.#isGoogle) return findTokenUsage(tail, head)
    return findGoogleUsage(tail, head, this.#hasEnded || endsGoogleResponse(tail))
  }

  /** Whether the provider continues the response without its client. */
  isJob(): boolean {
    return beginsJob(this.#head ?? this.#text(0, headBytes))
  }

  #text(from: number, to?: number): string {
    return this.#bytes.bytes().toString('latin1', from, to)
  }

  /** @param added number of bytes that have not been searched */
  #beginLastEvent(added: number): void {
    const from = Math.max(0, this.#bytes.length - added - longestName)
    const at = this.#text(from).search(lastEvent)
    if (at === -1) return
    this.#lastEvent = new ResponseExcerpt()
    this.#lastEvent.push(this.#bytes.bytes().subarray(from + at))
  }
}
