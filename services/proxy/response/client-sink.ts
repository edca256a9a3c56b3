import type { ServerResponse } from 'node:http'
import type { RequestShare } from '../request/request-share.ts'
import type { ResponseHead, ResponseSink } from './response.ts'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { SecretMask } from './secret-mask.ts'

/** The client's side of a request: counts what goes out, and keeps a copy where one is wanted. */
export class ClientSink implements ResponseSink {
  readonly #response: ServerResponse
  readonly #share: RequestShare
  #keepBytes: number
  readonly #kept = new GrowingBuffer()
  #mask: SecretMask | undefined
  #last: Buffer | undefined
  bytes = 0

  /** @param keepBytes how much of the response is kept, 0 for nothing */
  constructor(response: ServerResponse, share: RequestShare, keepBytes: number) {
    this.#response = response
    this.#share = share
    this.#keepBytes = keepBytes
  }

  /** From now on this key is masked in all that goes out. */
  hide(secret: string): void {
    this.#mask = SecretMask.of(secret)
  }

  reserve(bytes: number): boolean {
    return this.#share.takeBytes(bytes) === undefined
  }

  writeHead({ status, headers }: ResponseHead): void {
    this.#response.writeHead(status, headers)
  }

  /** Sends the head without waiting for the first event of a stream, unless that came with it. */
  flushHead(): void {
    process.nextTick(() => {
      if (this.bytes === 0 && !this.#response.writableEnded) this.#response.flushHeaders()
    })
  }

  write(chunk: Buffer): boolean {
    const shown = this.#mask ? this.#mask.push(chunk) : chunk
    return shown.length === 0 || this.#send(shown)
  }

  /** Keeps the last of the response until `flush`. */
  end(last?: Buffer): void {
    const shown = last && this.#mask ? this.#mask.push(last) : last
    const held = this.#mask?.flush()
    if (held && shown) this.#send(shown)
    const rest = held ?? shown
    if (rest) this.#count(rest)
    this.#last = rest
  }

  /** Sends what `end` kept, and with that the end. */
  flush(): void {
    this.#response.end(this.#last)
  }

  onceDrained(resume: () => void): void {
    this.#response.once('drain', resume)
  }

  /** What was kept: all of it, or the beginning. */
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
    if (this.bytes < this.#keepBytes) this.#keep(chunk.subarray(0, this.#keepBytes - this.bytes))
    this.bytes += chunk.length
  }

  /** Without room for all of it only the beginning is kept. */
  #keep(chunk: Buffer): void {
    if (this.#share.takeBytes(chunk.length)) this.#keepBytes = this.#kept.length
    else this.#kept.append(chunk)
  }
}
