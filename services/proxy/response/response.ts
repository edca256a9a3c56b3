import type { TokenUsage } from '../usage/token-usage.ts'

/** The head of a response as it goes to the client: headers are name, value, name, value … */
export interface ResponseHead {
  status: number
  headers: string[]
}

/** Where a response goes: to the client, which may be slower than the provider. */
export interface ResponseSink {
  /** @returns whether there is room to hold so many more bytes of this response back */
  reserve(bytes: number): boolean
  writeHead(head: ResponseHead): void
  /** @returns false when the client has enough for now */
  write(chunk: Buffer): boolean
  /** The response is whole. @param last goes out with the end, in one go */
  end(last?: Buffer): void
}

/** Brings one response of the provider to the client, and finds out what it used on the way. */
export interface ProviderResponse {
  /** @returns false when the provider should wait */
  push(chunk: Buffer): boolean
  end(): void
  /** Tokens as the provider counted them, as far as the response has come. */
  usage(): TokenUsage | undefined
  /** The body, where it was held until it was whole. */
  whole(): Buffer | undefined
  /** Pieces of a streamed completion that have come: about one token each. */
  readonly pieces: number
}

/** A whole response as the client got it. */
export interface StoredResponse {
  status: number
  headers: string[]
  body: Buffer
}
