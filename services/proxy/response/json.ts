import { GrowingBuffer } from '#core/growing-buffer.ts'
import { kib } from '#core/units.ts'
import { ResponseExcerpt } from '../usage/response-excerpt.ts'
import { usageOfResponse } from '../usage/response-usage.ts'
import type { TokenUsage } from '../usage/token-usage.ts'
import type { ProviderResponse, ResponseHead, ResponseSink } from './response.ts'

const space = 0x20

/** Responses up to this size are buffered until complete, so that the headers can include their cost. */
const maxBufferedBytes = 256 * kib

/** A response of unknown length may be a stream, so it is buffered at most this long after its first byte. */
const maxBufferedMs = 100

export class JsonResponse implements ProviderResponse {
  readonly #sink: ResponseSink
  readonly #head: ResponseHead
  readonly #summarise: (usage: TokenUsage | undefined) => string[]
  readonly #excerpt = new ResponseExcerpt()
  readonly #mayBeStream: boolean
  #buffer: GrowingBuffer | undefined = new GrowingBuffer()
  #timer: NodeJS.Timeout | undefined
  #usage: TokenUsage | undefined

  /**
   * @param summarise returns headers about the usage; called once, before the head is sent
   * @param mayBeStream whether the provider did not announce a length
   */
  constructor(
    sink: ResponseSink,
    head: ResponseHead,
    summarise: (usage: TokenUsage | undefined) => string[],
    mayBeStream: boolean,
  ) {
    this.#sink = sink
    this.#head = head
    this.#summarise = summarise
    this.#mayBeStream = mayBeStream
  }

  push(chunk: Buffer): boolean {
    if (!this.#buffer) {
      this.#excerpt.push(chunk)
      return this.#sink.write(chunk)
    }
    this.#buffer.append(chunk)
    const isHeartbeat = this.#mayBeStream && this.#timer === undefined && isBlank(chunk)
    const mayBuffer = !isHeartbeat && this.#buffer.length <= maxBufferedBytes && this.#sink.reserve(chunk.length)
    if (!mayBuffer) return this.#flush(this.#buffer)
    if (this.#mayBeStream) this.#timer ??= setTimeout(() => this.#buffer && this.#flush(this.#buffer), maxBufferedMs)
    return true
  }

  end(): void {
    this.stop()
    if (this.#buffer) {
      const body = this.#buffer.bytes()
      this.#usage = usageOfResponse(body)
      this.#head.headers.push(...this.#summarise(this.#usage))
      this.#sink.writeHead(this.#head)
      this.#sink.end(body.length > 0 ? body : undefined)
    } else {
      this.#usage = usageOfResponse(this.#excerpt.json())
      this.#sink.end()
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  whole(): Buffer | undefined {
    return this.#buffer?.bytes()
  }

  usage(): TokenUsage | undefined {
    return this.#usage
  }

  #flush(buffer: GrowingBuffer): boolean {
    this.stop()
    this.#buffer = undefined
    this.#sink.writeHead(this.#head)
    this.#excerpt.push(buffer.bytes())
    return this.#sink.write(buffer.bytes())
  }
}

/** Providers send whitespace before a JSON document to keep the connection open. */
const isBlank = (chunk: Buffer): boolean => chunk.every((byte) => byte <= space)
