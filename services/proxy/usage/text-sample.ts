import { kib } from '#core/units.ts'
import { newline } from './lines.ts'
import { audioTokensPerCharacter, bytesPerToken } from './metering.ts'

/** A longer event is not a piece of text. */
const longestEventBytes = 16 * kib

/** The next sample is taken once the stream has grown by this fraction. */
const partOfStream = 1 / 8

/** Bytes of written and of spoken text. */
interface Text {
  written: number
  spoken: number
}

/** How many tokens the pieces of a stream contain, estimated from the text in some of them. */
export class TextSample {
  readonly #prefix: string
  readonly #jsonAt: number
  /** Text up to the last sampled piece; each sample stands for all pieces since the previous one. */
  readonly #text: Text = { written: 0, spoken: 0 }
  #pieces = 0
  #nextAt = 1

  constructor(framing: 'events' | 'lines') {
    this.#prefix = framing === 'events' ? 'data:' : '{'
    this.#jsonAt = framing === 'events' ? this.#prefix.length : 0
  }

  /** Without audio. At least 1, because many providers send each token by itself. */
  get tokensPerPiece(): number {
    return this.#pieces === 0 ? 1 : Math.max(1, this.#text.written / this.#pieces / bytesPerToken)
  }

  get audioTokensPerPiece(): number {
    return this.#pieces === 0 ? 0 : (this.#text.spoken / this.#pieces) * audioTokensPerCharacter
  }

  /** @param pieces number of pieces so far, including those in the chunk */
  push(chunk: Buffer, pieces: number): void {
    if (pieces < this.#nextAt) return
    const text = this.#firstTextIn(chunk)
    if (!text) return
    this.#text.written += text.written * (pieces - this.#pieces)
    this.#text.spoken += text.spoken * (pieces - this.#pieces)
    this.#pieces = pieces
    this.#nextAt = pieces + 1 + Math.floor(pieces * partOfStream)
  }

  /** @returns the text in the chunk's first complete event; undefined without one */
  #firstTextIn(chunk: Buffer): Text | undefined {
    const prefix = this.#prefix
    const isFirst = chunk.toString('latin1', 0, prefix.length) === prefix
    const lineAt = isFirst ? 0 : chunk.indexOf(`\n${prefix}`) + 1
    const from = lineAt + this.#jsonAt
    const to = chunk.indexOf(newline, from)
    if ((lineAt === 0 && !isFirst) || to === -1) return undefined
    const text = { written: 0, spoken: 0 }
    if (to - from > longestEventBytes) return text
    try {
      readEvent(JSON.parse(chunk.toString('utf8', from, to)) as StreamEvent | null, text)
    } catch {
      // Whatever it is, it has no text.
    }
    return text
  }
}

interface StreamEvent {
  /** Of the Responses API and Anthropic. */
  delta?: unknown
  /** Of completions and chats. */
  choices?: unknown
  /** Of Ollama. */
  message?: unknown
  /** Of Google. */
  candidates?: unknown
}

/** Other members of an event may repeat the whole text, or the request. */
function readEvent(event: StreamEvent | null, text: Text): void {
  if (typeof event?.delta === 'string') text.written += Buffer.byteLength(event.delta)
  for (const part of [event?.delta, event?.choices, event?.message, event?.candidates]) readPart(part, text)
}

const writtenNames = new Set([
  'content',
  'text',
  'refusal',
  'reasoning',
  'reasoning_content',
  'thinking',
  'partial_json',
  'arguments',
])
const spokenName = 'transcript'
const containers = new Set(['delta', 'tool_calls', 'function', 'audio', 'content', 'parts', 'functionCall'])
/** Google's arguments are an object. */
const argumentsName = 'args'

function readPart(part: unknown, text: Text): void {
  if (typeof part !== 'object' || part === null) return
  for (const [name, member] of Object.entries(part)) {
    if (typeof member === 'string') {
      if (writtenNames.has(name)) text.written += Buffer.byteLength(member)
      else if (name === spokenName) text.spoken += Buffer.byteLength(member)
    } else if (name === argumentsName) text.written += Buffer.byteLength(JSON.stringify(member))
    else if (Array.isArray(part) || containers.has(name)) readPart(member, text)
  }
}
