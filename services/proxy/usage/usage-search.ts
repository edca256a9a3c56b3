import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import { beginsJob, findTokenUsage } from './response-usage.ts'
import type { TokenUsage, ToolUsage } from './token-usage.ts'
import { findToolUsage, namesToolUsage } from './tool-usage.ts'

const [headBytes, tailBytes] = [2 * kib, 16 * kib]

/** The event that ends a stream of the Responses API, and contains the whole response. */
const lastEvent = /\nevent: ?response\.(?:completed|incomplete|failed)\r?\n/
const longestName = '\nevent: response.incomplete\r\n'.length

/** Finds the usage of a response at its beginning and end, without keeping all of it. */
export class UsageSearch {
  readonly #bytes = new GrowingBuffer()
  readonly #isRead: boolean
  #head: string | undefined
  /** In what is no longer kept: the tools of a response, which follow it, may be long. */
  #tools: ToolUsage | undefined

  /** @param isRead whether another request made the response: a stream of it can begin anywhere */
  constructor(isRead = false) {
    this.#isRead = isRead
  }

  push(chunk: Buffer): void {
    this.#bytes.append(chunk)
    if (this.#isRead) this.#beginAtLastEvent(chunk.length)
    // Not for every chunk, because it copies the kept bytes.
    if (this.#bytes.length <= 2 * tailBytes) return
    this.#head ??= this.#readHead()
    const bytes = this.#bytes.bytes()
    if (namesToolUsage(bytes)) this.#tools = findToolUsage(bytes.toString('latin1')) ?? this.#tools
    this.#bytes.keepLast(tailBytes)
  }

  /** Decodes as Latin-1, because only ASCII is searched for. */
  usage(): TokenUsage | undefined {
    const head = this.#head ?? this.#readHead()
    const tail = this.#bytes.bytes().subarray(-tailBytes).toString('latin1')
    const usage = findTokenUsage(tail, head)
    return usage && Object.assign(usage, findToolUsage(tail) ?? this.#tools)
  }

  /** Whether the provider continues the response without its client. */
  isJob(): boolean {
    return beginsJob(this.#head ?? this.#readHead())
  }

  /** No request names the model of a response that is read, and the instructions come before it. */
  #readHead(): string {
    return this.#bytes.bytes().toString('latin1', 0, this.#isRead ? tailBytes : headBytes)
  }

  /** @param added number of bytes that have not been searched */
  #beginAtLastEvent(added: number): void {
    const bytes = this.#bytes.bytes()
    const from = Math.max(0, bytes.length - added - longestName)
    const at = bytes.toString('latin1', from).search(lastEvent)
    if (at === -1) return
    this.#head = undefined
    this.#bytes.keepLast(bytes.length - from - at)
  }
}
