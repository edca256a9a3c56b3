import type { TokenUsage } from '../usage/token-usage.ts'
import type { Answer, AnswerHead, AnswerSink } from './response.ts'

/** Any answer that the gateway need not understand: each chunk goes on as it comes. */
export class PassingAnswer implements Answer {
  readonly pieces = 0
  readonly #sink: AnswerSink

  constructor(sink: AnswerSink, head: AnswerHead) {
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
