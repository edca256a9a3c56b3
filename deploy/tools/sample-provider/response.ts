export type Chunk = string | Buffer

/** An endpoint's response before it is sent. Chunks are generated only as fast as the client reads them. */
export interface SampleResponse {
  status: number
  contentType: string
  headers?: Record<string, string>
  chunks: Iterable<Chunk>
  /** In bytes; undefined for a stream. */
  length?: number
}

const whole = (body: Chunk, contentType: string): SampleResponse => ({
  status: 200,
  contentType,
  chunks: [body],
  length: Buffer.byteLength(body),
})

export const json = (body: unknown): SampleResponse => whole(JSON.stringify(body), 'application/json')

export const binary = (body: Buffer): SampleResponse => whole(body, 'application/octet-stream')

export const stream = (chunks: Iterable<Chunk>, contentType: string): SampleResponse => ({
  status: 200,
  contentType,
  chunks,
})

const eventStreamType = 'text/event-stream; charset=utf-8'

/** Server-sent events; each chunk is one whole event. */
export const events = (chunks: Iterable<string>): SampleResponse => stream(chunks, eventStreamType)

const comment = Buffer.from(`: ${'padding '.repeat(127)}\n\n`)

function* filler(contentType: string, bytes: number): Generator<Chunk> {
  const isStream = contentType === eventStreamType
  const block = isStream ? comment : Buffer.alloc(65_536, contentType === 'application/json' ? ' ' : 0)
  // Comments in event streams must be complete.
  for (let left = bytes; left > 0; left -= block.length) yield isStream ? block : block.subarray(0, left)
}

function* pad({ chunks, contentType }: SampleResponse, bytes: number): Generator<Chunk> {
  let sent = 0
  let last: Chunk = ''
  for (const chunk of chunks) {
    if (last.length > 0) yield last
    last = chunk
    sent += Buffer.byteLength(chunk)
  }
  const padding = filler(contentType, bytes - sent)
  // Clients stop reading at the last event; JSON allows space after it.
  if (contentType !== eventStreamType) yield last
  yield* padding
  if (contentType === eventStreamType) yield last
}

/** Pads the body to about `bytes` with content that readers skip: spaces, SSE comments or zero bytes. */
export const padResponse = (response: SampleResponse, bytes: number): SampleResponse => ({
  ...response,
  chunks: pad(response, bytes),
  length: response.length && Math.max(response.length, bytes),
})

/** The part sent before a connection is cut: half of a body of known length, or three events. */
export function* firstPart({ chunks, length }: SampleResponse): Generator<Chunk> {
  let leftBytes = length === undefined ? Infinity : Math.floor(length / 2)
  let leftChunks = length === undefined ? 3 : Infinity
  for (const chunk of chunks) {
    if (leftBytes <= 0 || leftChunks <= 0) return
    const bytes = Buffer.from(chunk)
    yield bytes.subarray(0, leftBytes)
    leftBytes -= bytes.length
    leftChunks -= 1
  }
}
