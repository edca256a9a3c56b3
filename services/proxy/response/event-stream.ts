import { StreamUsageFilter } from '../usage/stream-usage-filter.ts'
import { findTokenUsage, type TokenUsage } from '../usage/token-usage.ts'
import type { ProviderResponse, ResponseHead, ResponseSink } from './response.ts'
import { Tail } from './tail.ts'

const blankLine = Buffer.from('\n\n')

/** Passes on server-sent events without delay, and reads the usage in them. */
export class EventStreamResponse implements ProviderResponse {
  pieces = 0
  readonly #sink: ResponseSink
  readonly #filter: StreamUsageFilter | undefined
  readonly #tail = new Tail()

  /** @param hidesUsage whether only the gateway requested usage, not the client */
  constructor(sink: ResponseSink, head: ResponseHead, hidesUsage: boolean) {
    this.#sink = sink
    this.#filter = hidesUsage ? new StreamUsageFilter() : undefined
    sink.writeHead(head)
  }

  push(chunk: Buffer): boolean {
    for (let at = chunk.indexOf(blankLine); at !== -1; at = chunk.indexOf(blankLine, at + 2)) this.pieces += 1
    if (!this.#filter) {
      this.#tail.push(chunk)
      return this.#sink.write(chunk)
    }
    const visible = this.#filter.push(chunk)
    return visible.length === 0 || this.#sink.write(visible)
  }

  end(): void {
    const rest = this.#filter?.flush()
    if (rest) this.#sink.write(rest)
    this.#sink.end()
  }

  usage(): TokenUsage | undefined {
    return this.#filter ? this.#filter.usage : findTokenUsage(this.#tail.text())
  }
}
