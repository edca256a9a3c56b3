import type { TokenUsage } from '../usage/token-usage.ts'
import type { ProviderResponse, ResponseHead, ResponseSink } from './response.ts'

/** Any response that the gateway need not understand: each chunk goes on as it comes. */
export class PassThroughResponse implements ProviderResponse {
  readonly pieces = 0
  readonly #sink: ResponseSink

  constructor(sink: ResponseSink, head: ResponseHead) {
    this.#sink = sink
    sink.writeHead(head)
  }

  push(chunk: Buffer): boolean {
    return this.#sink.write(chunk)
  }

  end(): void {
    this.#sink.end()
  }

  whole(): undefined {
    return undefined
  }

  usage(): TokenUsage | undefined {
    return undefined
  }
}
