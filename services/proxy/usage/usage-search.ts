import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import { beginsJob, findTokenUsage, usageOfResponse } from './response-usage.ts'
import type { TokenUsage, ToolUsage } from './token-usage.ts'
import { findToolUsage, namesToolUsage } from './tool-usage.ts'

const [headBytes, tailBytes] = [16 * kib, 16 * kib]

/** The events of a stream of the Responses API, and the one that ends it and contains the whole response. */
const anyEvent = /^event: ?response\./
const lastEvent = /event: ?response\.(?:completed|incomplete|failed)\r?\n/
const longestName = 'event: response.incomplete\r\n'.length

/** A longer last event is searched like any other response. */
const longestEventBytes = 256 * kib

const dataStart = '\ndata:'

/**
 * Finds the usage of a response at its beginning and end, without keeping all of it. In a stream of the Responses API
 * only the last event counts: the others repeat what the client wrote.
 */
export class UsageSearch {
  readonly #bytes = new GrowingBuffer()
  /** Undefined until enough bytes have arrived. */
  #isOfResponses: boolean | undefined
  #isLastEvent = false
  #head: string | undefined
  /** In what is no longer kept: the tools of a response, which follow it, may be long. */
  #tools: ToolUsage | undefined

  push(chunk: Buffer): void {
    this.#bytes.append(chunk)
    if (this.#bytes.length > longestName) this.#isOfResponses ??= anyEvent.test(this.#text(0, longestName))
    if (this.#isOfResponses && !this.#isLastEvent) this.#beginAtLastEvent(chunk.length)
    // Not for every chunk, because it copies the kept bytes.
    if (this.#bytes.length <= (this.#isWholeEvent ? longestEventBytes : 2 * tailBytes)) return
    this.#head ??= this.#text(0, headBytes)
    const bytes = this.#bytes.bytes()
    if (namesToolUsage(bytes)) this.#tools = findToolUsage(bytes.toString('latin1')) ?? this.#tools
    this.#bytes.keepLast(tailBytes)
  }

  /** Decodes as Latin-1, because only ASCII is searched for. */
  usage(): TokenUsage | undefined {
    if (this.#isOfResponses && !this.#isLastEvent) return undefined
    const bytes = this.#bytes.bytes()
    if (this.#isWholeEvent) return usageOfResponse(bytes.subarray(bytes.indexOf(dataStart) + dataStart.length))
    const tail = bytes.subarray(-tailBytes).toString('latin1')
    const usage = findTokenUsage(tail, this.#head ?? this.#text(0, headBytes))
    return usage && Object.assign(usage, findToolUsage(tail) ?? this.#tools)
  }

  /** Whether the provider continues the response without its client. */
  isJob(): boolean {
    return beginsJob(this.#head ?? this.#text(0, headBytes))
  }

  /** Whether all that is kept is the last event, from its beginning. */
  get #isWholeEvent(): boolean {
    return this.#isLastEvent && this.#head === undefined
  }

  #text(from: number, to?: number): string {
    return this.#bytes.bytes().toString('latin1', from, to)
  }

  /** @param added number of bytes that have not been searched */
  #beginAtLastEvent(added: number): void {
    const from = Math.max(0, this.#bytes.length - added - longestName)
    const at = this.#text(from).search(lastEvent)
    if (at === -1) return
    this.#isLastEvent = true
    this.#head = undefined
    this.#bytes.keepLast(this.#bytes.length - from - at)
  }
}
