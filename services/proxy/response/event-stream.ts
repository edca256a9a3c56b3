import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import { StreamUsageFilter } from '../usage/stream-usage-filter.ts'
import { TextSample } from '../usage/text-sample.ts'
import type { TokenUsage } from '../usage/token-usage.ts'
import { UsageSearch } from '../usage/usage-search.ts'
import { errorBody, type ErrorFormat } from './error-responses.ts'
import { PieceCounter } from '../usage/piece-counter.ts'
import type { ProviderResponse, ResponseHead, ResponseSink } from './response.ts'

interface EventStreamOptions {
  /** Server-sent events, or one JSON document per line. */
  framing: 'events' | 'lines'
  /** Whether only the gateway requested usage, not the client. */
  hidesUsage: boolean
  isGoogle?: boolean
}

/** Relays a stream of events without delay, and reads the usage in it. */
export class EventStreamResponse implements ProviderResponse {
  readonly #sink: ResponseSink
  readonly #framing: EventStreamOptions['framing']
  readonly #pieces: PieceCounter
  readonly #sample: TextSample
  readonly #filter: StreamUsageFilter | undefined
  readonly #search: UsageSearch
  #error: Buffer | undefined
  /** The last chunk, in which an error may follow other events. */
  #last: Buffer | undefined

  constructor(sink: ResponseSink, head: ResponseHead, { framing, hidesUsage, isGoogle }: EventStreamOptions) {
    this.#sink = sink
    this.#framing = framing
    this.#pieces = new PieceCounter(framing)
    this.#sample = new TextSample(framing)
    this.#filter = hidesUsage ? new StreamUsageFilter(framing) : undefined
    this.#search = new UsageSearch(isGoogle)
    sink.writeHead(head)
  }

  get estimatedTokens(): number {
    return Math.ceil(this.#pieces.count * this.#sample.tokensPerPiece) + this.estimatedAudioTokens
  }

  get estimatedAudioTokens(): number {
    return Math.round(this.#pieces.count * this.#sample.audioTokensPerPiece)
  }

  push(chunk: Buffer): boolean {
    this.#pieces.push(chunk)
    this.#sample.push(chunk, this.#pieces.count)
    this.#last = chunk
    if (isErrorEvent(chunk)) this.#error = errorIn(chunk)
    if (!this.#filter) {
      this.#search.push(chunk)
      return this.#sink.write(chunk)
    }
    const visible = this.#filter.push(chunk)
    return visible.length === 0 || this.#sink.write(visible)
  }

  end(): void {
    const rest = this.#filter?.flush()
    if (rest) this.#sink.write(rest)
    this.#sink.end()
  }

  endWithError(code: ProxyErrorCode, format: ErrorFormat): void {
    const rest = this.#filter?.flush()
    if (rest) this.#sink.write(rest)
    const isBetweenEvents = this.#pieces.isBetweenEvents
    this.#sink.end(Buffer.from((isBetweenEvents ? '' : '\n\n') + errorEvent(code, this.#framing, format)))
  }

  errorEvent(): Buffer | undefined {
    return this.#error ?? (this.#last && errorIn(this.#last))
  }

  usage(): TokenUsage | undefined {
    return this.#filter ? this.#filter.usage : this.#search.usage()
  }

  isJob(): boolean {
    return this.#search.isJob()
  }
}

const errorStarts = ['event: error', 'data: {"error"', 'data: {"type":"error"'] as const

/** Whether a packet begins with an error. Looking for that in each packet costs nothing, unlike a full search. */
const isErrorEvent = (chunk: Buffer): boolean =>
  (chunk[7] === 0x65 || chunk[6] === 0x7b) &&
  (chunk[8] === 0x65 || chunk[8] === 0x72 || chunk[8] === 0x74) &&
  errorStarts.some((start) => chunk.toString('latin1', 0, start.length) === start)

/** The JSON of an event named `error`, or of an event or a line with a member `error`. In text, its quotes are escaped. */
const error = /^event: ?error(?:\r?\n|\r)data: ?(.*)|^(?:data: ?)?(\{(?:.*"error": ?[{"]|"type": ?"error").*)/m

function errorIn(packet: Buffer): Buffer | undefined {
  const [, named, unnamed] = error.exec(packet.toString()) ?? []
  const json = named ?? unnamed
  return json === undefined ? undefined : Buffer.from(json)
}

/**
 * In a format with which the SDKs of OpenAI and Anthropic, or Google's, raise an error. Google's ignore the names of events:
 * that of an interaction tells them by their type.
 */
function errorEvent(code: ProxyErrorCode, framing: EventStreamOptions['framing'], format: ErrorFormat): string {
  const isGoogle = format === 'google'
  const body = errorBody(code, { format: isGoogle ? format : 'anthropic' })
  const json = isGoogle ? body.replace('{', '{"event_type":"error",') : body
  return framing === 'lines' ? `${json}\n` : `${isGoogle ? '' : 'event: error\n'}data: ${json}\n\n`
}
