import type { ServerResponse } from 'node:http'
import type { RequestShare } from '../request/request-share.ts'
import type { ResponseHead, ResponseSink } from './response.ts'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { SecretMask } from './secret-mask.ts'

/** Sends a response to the client, counts its bytes and keeps a copy if one is needed. */
export class ClientSink implements ResponseSink {
  readonly #response: ServerResponse
  readonly #share: RequestShare
  #keepBytes: number
  readonly #kept = new GrowingBuffer()
  #mask: SecretMask | undefined
  #last: Buffer | undefined
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

  writeHead({ status, headers }: ResponseHead): void {
    this.#response.writeHead(status, headers)
  }

  /** Sends the head of a stream before its first event, unless both came together. */
  flushHead(): void {
    process.nextTick(() => {
      if (this.bytes === 0 && !this.#response.writableEnded) this.#response.flushHeaders()
    })
  }

  write(chunk: Buffer): boolean {
    const shown = this.#mask ? this.#mask.push(chunk) : chunk
    return shown.length === 0 || this.#send(shown)
  }

  /** Holds the last bytes of the response until `flush`. */
  end(last?: Buffer): void {
    const shown = last && this.#mask ? this.#mask.push(last) : last
    const held = this.#mask?.flush()
    if (held && shown) this.#send(shown)
    const rest = held ?? shown
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

  #send(chunk: Buffer): boolean {
    this.#count(chunk)
    return this.#response.write(chunk)
  }

  #count(chunk: Buffer): void {
    if (this.bytes < this.#keepBytes) {
      const copied = chunk.subarray(0, this.#keepBytes - this.bytes)
      // When memory is short, only the beginning is kept.
      if (this.#share.takeBytes(copied.length)) this.#keepBytes = this.#kept.length
      else this.#kept.append(copied)
    }
    this.bytes += chunk.length
  }
}
