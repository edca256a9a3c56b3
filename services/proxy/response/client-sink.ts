import type { ServerResponse } from 'node:http'
import type { RequestShare } from '../request/request-share.ts'
import type { ResponseHead, ResponseSink } from './response.ts'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { SecretMask } from './secret-mask.ts'

/** How long the head of a stream waits for the first bytes, ms. */
const headPatienceMs = 50

/** Sends a response to the client, counts its bytes and keeps a copy if needed. */
export class ClientSink implements ResponseSink {
  readonly #response: ServerResponse
  readonly #share: RequestShare
  #keepBytes: number
  readonly #kept = new GrowingBuffer()
  #mask: SecretMask | undefined
  #last: Buffer | undefined
  #head: ResponseHead | undefined
  bytes = 0

  constructor(response: ServerResponse, share: RequestShare, keepBytes: number) {
    this.#response = response
    this.#share = share
    this.#keepBytes = keepBytes
  }

  hide(secret: string): void {
    this.#mask = SecretMask.of(secret)
  }

  reserve(bytes: number): boolean {
    return this.#share.takeBytes(bytes) === undefined
  }

  /** Delays the head until the first bytes: until then, a broken response can still become an error response. */
  writeHead(head: ResponseHead): void {
    this.#head = head
  }

  /** Sends the head of a stream even if its first event is slow. */
  flushHead(): void {
    setTimeout(() => {
      if (!this.#head || this.#response.destroyed) return
      this.#sendHead()
      this.#response.flushHeaders()
    }, headPatienceMs)
  }

  /** For a broken response: an unsent head is never sent. */
  dropHead(): void {
    this.#head = undefined
  }

  write(chunk: Buffer): boolean {
    const shown = this.#mask ? this.#mask.push(chunk) : chunk
    return shown.length === 0 || this.#send(shown)
  }

  /** Buffers the last bytes of the response until `flush`. */
  end(last?: Buffer): void {
    this.#sendHead()
    const shown = last && this.#mask ? this.#mask.push(last) : last
    const masked = this.#mask?.flush()
    if (masked && shown) this.#send(shown)
    const rest = masked ?? shown
    if (rest) this.#count(rest)
    this.#last = rest
  }

  flush(): void {
    this.#response.end(this.#last)
  }

  onceDrained(resume: () => void): void {
    this.#response.once('drain', resume)
  }

  kept(): Buffer {
    return this.#kept.bytes()
  }

  get keptAll(): boolean {
    return this.#keepBytes > 0 && this.bytes === this.#kept.length
  }

  #sendHead(): void {
    if (!this.#head) return
    const { status, headers } = this.#head
    this.#head = undefined
    this.#response.writeHead(status, headers)
  }

  #send(chunk: Buffer): boolean {
    this.#sendHead()
    this.#count(chunk)
    return this.#response.write(chunk)
  }

  #count(chunk: Buffer): void {
    if (this.bytes < this.#keepBytes) {
      const copied = chunk.subarray(0, this.#keepBytes - this.bytes)
      // If memory is short, only the beginning is kept.
      if (this.#share.takeBytes(copied.length)) this.#keepBytes = this.#kept.length
      else this.#kept.append(copied)
    }
    this.bytes += chunk.length
  }
}
