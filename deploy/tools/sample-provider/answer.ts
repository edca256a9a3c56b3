export type Chunk = string | Buffer

/** What a resource answers, before transport: a body at once, or chunks that are made as the client takes them. */
export interface Answer {
  status: number
  contentType: string
  headers?: Record<string, string>
  body: Chunk | { chunks: Iterable<Chunk> }
}

export const json = (body: unknown, status = 200, headers?: Record<string, string>): Answer => ({
  status,
  contentType: 'application/json',
  headers,
  body: JSON.stringify(body),
})

export const binary = (body: Buffer, contentType: string): Answer => ({ status: 200, contentType, body })

export const stream = (chunks: Iterable<Chunk>, contentType: string): Answer => ({
  status: 200,
  contentType,
  body: { chunks },
})

export const eventStreamType = 'text/event-stream; charset=utf-8'

/** Server-sent events; each chunk is one whole event. */
export const events = (chunks: Iterable<string>): Answer => stream(chunks, eventStreamType)
