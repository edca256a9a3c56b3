import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import type { ErrorFormat } from './error-responses.ts'
import type { TokenUsage } from '../usage/token-usage.ts'

/** As sent to the client. Headers are name, value, name, value … */
export interface ResponseHead {
  status: number
  headers: string[]
}

export interface ResponseSink {
  /** @returns whether this many more bytes may be kept in memory */
  reserve(bytes: number): boolean
  writeHead(head: ResponseHead): void
  /** @returns false when the provider should wait */
  write(chunk: Buffer): boolean
  /** @param last sent together with the end */
  end(last?: Buffer): void
}

/** Relays a provider's response to the client, and reads its usage. */
export interface ProviderResponse {
  /** @returns false when the provider should wait */
  push(chunk: Buffer): boolean
  end(): void
  /** Ends a stream with an error event. */
  endWithError?(code: ProxyErrorCode, format: ErrorFormat): void
  /** After this, nothing more may be sent, even if the response is incomplete. */
  stop?(): void
  /** The tokens counted by the provider, as far as known. */
  usage?(): TokenUsage | undefined
  /** Whether the provider continues a stream after it has broken off. */
  isJob?(): boolean
  /** The JSON of a stream's error event. */
  errorEvent?(): Buffer | undefined
  /** The body, if it was buffered until it was complete. */
  whole?(): Buffer | undefined
  /** Tokens of a streamed completion so far, estimated from its pieces. */
  readonly estimatedTokens?: number
  /** Those of them that are audio. */
  readonly estimatedAudioTokens?: number
}

export interface StoredResponse extends ResponseHead {
  body: Buffer
  storedAtMs: number
}
