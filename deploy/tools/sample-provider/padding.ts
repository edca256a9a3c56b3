import { eventStreamType, type Answer, type Chunk } from './answer.ts'

const spaces = Buffer.alloc(65_536, ' ')
const zeros = Buffer.alloc(65_536)
const comment = Buffer.from(`: ${'padding '.repeat(127)}\n\n`)

function* filler(contentType: string, bytes: number): Generator<Chunk> {
  if (contentType === eventStreamType) {
    for (let left = bytes; left > 0; left -= comment.length) yield comment
    return
  }
  const block = contentType.startsWith('application/json') || contentType.startsWith('text/') ? spaces : zeros
  for (let left = bytes; left > 0; left -= block.length) yield left < block.length ? block.subarray(0, left) : block
}

const chunksOf = ({ body }: Answer): Iterable<Chunk> =>
  typeof body === 'string' || Buffer.isBuffer(body) ? [body] : body.chunks

/** The answer's chunks and, where it is known, their length in bytes. */
export interface Body {
  chunks: Iterable<Chunk>
  length?: number
}

function* padChunks(answer: Answer, bytes: number): Generator<Chunk> {
  let sent = 0
  let held: Chunk = ''
  for (const chunk of chunksOf(answer)) {
    if (held.length > 0) yield held
    held = chunk
    sent += Buffer.byteLength(chunk)
  }
  const padding = filler(answer.contentType, bytes - sent)
  // Clients stop to read at the last event; JSON allows space after it.
  if (answer.contentType === eventStreamType) {
    yield* padding
    yield held
  } else {
    yield held
    yield* padding
  }
}

/** The body, filled up to about `bytes` with what its reader skips: spaces, SSE comments or zero bytes. */
export const padBody = (answer: Answer, bytes: number | undefined): Body => {
  const { body } = answer
  const length = typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.byteLength(body) : undefined
  if (bytes === undefined) return { chunks: chunksOf(answer), length }
  return { chunks: padChunks(answer, bytes), length: length === undefined ? undefined : Math.max(length, bytes) }
}

const eventsBeforeReset = 3

/** What leaves before a connection is cut mid-stream: half of a body of known length, else its first chunks. */
export function* firstPart({ chunks, length }: Body): Generator<Chunk> {
  let leftBytes = length === undefined ? Infinity : Math.floor(length / 2)
  let leftChunks = length === undefined ? eventsBeforeReset : Infinity
  for (const chunk of chunks) {
    if (leftBytes <= 0 || leftChunks <= 0) return
    const bytes = Buffer.from(chunk)
    yield bytes.length > leftBytes ? bytes.subarray(0, leftBytes) : bytes
    leftBytes -= bytes.length
    leftChunks -= 1
  }
}
