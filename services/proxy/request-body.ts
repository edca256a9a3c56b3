import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { mib } from '#core/units.ts'

/** Bodies up to this size are kept, so that they can be sent again. */
const keptBytes = 10 * mib

export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/** What a client sent: nothing, all of it in memory, or a stream that can be sent only once. */
export type RequestBody =
  | { bytes: Buffer; length: number }
  | { stream: Readable; length: number | undefined }
  | undefined

/**
 * Takes a request's body without touching a byte of it.
 * @param maxBytes larger bodies are refused, before they are read where the client says how large they are
 * @throws BodyTooLargeError | Error when the client goes away
 */
export function takeBody(request: IncomingMessage, response: ServerResponse, maxBytes: number): Promise<RequestBody> {
  const { headers } = request
  const declared = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
  if (declared === 0 || (declared === undefined && headers['transfer-encoding'] === undefined)) {
    return Promise.resolve(undefined)
  }
  if (declared !== undefined && declared > maxBytes) return Promise.reject(new BodyTooLargeError())
  // Only now is the client told to go on: a request that is refused never sends its body.
  if (headers.expect !== undefined) response.writeContinue()
  if (declared !== undefined && declared > keptBytes) {
    return Promise.resolve({ stream: passOn([], request, maxBytes), length: declared })
  }
  return collect(request, maxBytes)
}

function collect(request: IncomingMessage, maxBytes: number): Promise<RequestBody> {
  const { promise, resolve, reject } = Promise.withResolvers<RequestBody>()
  const chunks: Buffer[] = []
  let length = 0
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length <= keptBytes) return
    request.off('data', onData).off('end', onEnd).off('error', reject).pause()
    resolve({ stream: passOn(chunks, request, maxBytes), length: undefined })
  }
  const onEnd = () => resolve({ bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length), length })
  request.on('data', onData).on('end', onEnd).on('error', reject)
  return promise
}

const passOn = (read: readonly Buffer[], request: IncomingMessage, maxBytes: number) =>
  Readable.from(resume(read, request, maxBytes), { objectMode: false })

/**
 * What was read already, then the rest as it comes. When nobody wants the rest the request itself lives on: the client
 * is still to be answered.
 */
async function* resume(read: readonly Buffer[], request: IncomingMessage, maxBytes: number) {
  let length = 0
  for (const chunk of read) {
    length += chunk.length
    yield chunk
  }
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) throw new BodyTooLargeError()
    yield chunk
  }
}
