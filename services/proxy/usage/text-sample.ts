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
    const from = (isFirst ? 0 : chunk.indexOf(`\n${prefix}`) + 1) + this.#jsonAt
    const to = chunk.indexOf(newline, from)
    if (to === -1) return undefined
    if (to - from > longestEventBytes) return 0
    try {
      return textBytes(JSON.parse(chunk.toString('utf8', from, to)))
    } catch {
      return 0
    }
  }
}

/** Where completions, chats, messages and responses of OpenAI, Anthropic and Ollama have a piece of text. */
const textNames = new Set([
  'delta',
  'content',
  'text',
  'refusal',
  'reasoning',
  'reasoning_content',
  'thinking',
  'partial_json',
  'arguments',
])

/** Members that contain the above. All others may repeat the whole text, or the request. */
const containers = new Set(['choices', 'delta', 'message', 'tool_calls', 'function'])

function textBytes(event: unknown): number {
  if (typeof event !== 'object' || event === null) return 0
  let bytes = 0
  for (const [name, value] of Object.entries(event)) {
    if (typeof value === 'string') bytes += textNames.has(name) ? Buffer.byteLength(value) : 0
    else if (Array.isArray(event) || containers.has(name)) bytes += textBytes(value)
  }
  return bytes
}
