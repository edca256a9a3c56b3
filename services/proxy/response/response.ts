import type { ErrorCode } from './error-responses.ts'
import type { TokenUsage } from '../usage/token-usage.ts'

/** As it goes to the client. Headers are name, value, name, value … */
export interface ResponseHead {
  status: number
  headers: string[]
}

export interface ResponseSink {
  /** @returns whether so many more bytes may be kept in memory */
  reserve(bytes: number): boolean
  writeHead(head: ResponseHead): void
  /** @returns false when the provider should wait */
  write(chunk: Buffer): boolean
  /** @param last is sent together with the end */
  end(last?: Buffer): void
}

/** Passes a provider's response on to the client, and reads its usage. */
export interface ProviderResponse {
  /** @returns false when the provider should wait */
  push(chunk: Buffer): boolean
  end(): void
  /** Ends a stream of events with one that says why. */
  endWithError?(code: ErrorCode): void
  /** Nothing may be sent any more, whether or not the response is complete. */
  stop?(): void
  /** Tokens as the provider counted them, as far as they are known. */
  usage(): TokenUsage | undefined
  /** The JSON of the event with which a stream reported an error. */
  errorEvent?(): Buffer | undefined
  /** The body, if it was buffered until it was complete. */
  whole?(): Buffer | undefined
  /** Pieces of a streamed completion so far: about one token each. */
  readonly pieces: number
}

export interface StoredResponse extends ResponseHead {
  body: Buffer
  storedAtMs: number
}
