import type { ProviderResponse, ResponseHead, ResponseSink } from './response.ts'

export class PassThroughResponse implements ProviderResponse {
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
}
