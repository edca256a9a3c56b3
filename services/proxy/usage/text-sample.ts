import { kib } from '#core/units.ts'
import { newline } from './lines.ts'
import { bytesPerToken } from './metering.ts'

/** A longer event is not a piece of text. */
const longestEventBytes = 16 * kib

/** Each part of the stream of this size is sampled once. */
const partOfStream = 1 / 8

/** How many tokens the pieces of a stream contain, estimated from the text in some of them. */
export class TextSample {
  readonly #prefix: string
  readonly #jsonAt: number
  /** Bytes of text in the pieces up to the last one read: each stands for those since the one read before. */
  #bytes = 0
  #pieces = 0
  #nextAt = 1

  constructor(framing: 'events' | 'lines') {
    this.#prefix = framing === 'events' ? 'data:' : '{'
    this.#jsonAt = framing === 'events' ? this.#prefix.length : 0
  }

  /** At least 1, because many providers send each token by itself. */
  get tokensPerPiece(): number {
    return this.#pieces === 0 ? 1 : Math.max(1, this.#bytes / this.#pieces / bytesPerToken)
  }

  /** @param pieces number of pieces so far, including those in the chunk */
  push(chunk: Buffer, pieces: number): void {
    if (pieces < this.#nextAt) return
    const bytes = this.#firstTextIn(chunk)
    if (bytes === undefined) return
    this.#bytes += bytes * (pieces - this.#pieces)
    this.#pieces = pieces
    this.#nextAt = pieces + 1 + Math.floor(pieces * partOfStream)
  }

  /** @returns bytes of text in the chunk's first complete event; undefined without one */
  #firstTextIn(chunk: Buffer): number | undefined {
    const prefix = this.#prefix
    const isFirst = chunk.toString('latin1', 0, prefix.length) === prefix
    const lineAt = isFirst ? 0 : chunk.indexOf(`\n${prefix}`) + 1
    const from = lineAt + this.#jsonAt
    const to = chunk.indexOf(newline, from)
    if ((lineAt === 0 && !isFirst) || to === -1) return undefined
    if (to - from > longestEventBytes) return 0
    try {
      return textBytes(JSON.parse(chunk.toString('utf8', from, to)) as StreamEvent | null)
    } catch {
      return 0
    }
  }
}

interface StreamEvent {
  /** Of the Responses API and Anthropic. */
  delta?: unknown
  /** Of completions and chats. */
  choices?: unknown
  /** Of Ollama. */
  message?: unknown
}

/** Other members of an event may repeat the whole text, or the request. */
function textBytes(event: StreamEvent | null): number {
  if (typeof event?.delta === 'string') return Buffer.byteLength(event.delta)
  return bytesWithin(event?.delta) + bytesWithin(event?.choices) + bytesWithin(event?.message)
}

const textNames = new Set([
  'content',
  'text',
  'refusal',
  'reasoning',
  'reasoning_content',
  'thinking',
  'partial_json',
  'arguments',
])
const containers = new Set(['delta', 'tool_calls', 'function'])

function bytesWithin(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let bytes = 0
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string') bytes += textNames.has(name) ? Buffer.byteLength(member) : 0
    else if (Array.isArray(value) || containers.has(name)) bytes += bytesWithin(member)
  }
  return bytes
}
