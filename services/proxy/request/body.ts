import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import pTimeout from 'p-timeout'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { TooMuchAtOnceError } from '#core/limits/shared-limit.ts'
import { mib, second } from '#core/units.ts'
import type { RequestShare } from './request-share.ts'

/** Bodies up to this size are kept, so that they can be sent again. */
const keptBytes = 10 * mib

export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/** A client that sends nothing of its body for this long has given it up. */
const silenceMs = 30 * second

export class BodyTimeoutError extends Error {
  override readonly name = 'BodyTimeoutError'
}

/** What a client sent: nothing, all of it in memory, or a stream that can be sent only once. */
export type RequestBody =
  | { bytes: Buffer; length: number }
  | { stream: Readable; length: number | undefined }
  | undefined

interface BodyLimits {
  /** Larger bodies are rejected, before they are read where the client says how large they are. */
  maxBytes: number
  /** Where what is kept is counted. */
  share: RequestShare
  silenceMs?: number
}

/**
 * Takes a request's body without touching a byte of it.
 * @throws BodyTooLargeError | BodyTimeoutError | TooMuchAtOnceError | Error when the client goes away
 */
export function takeBody(request: IncomingMessage, response: ServerResponse, limits: BodyLimits): Promise<RequestBody> {
  const { headers } = request
  const declared = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
  if (declared === 0 || (declared === undefined && headers['transfer-encoding'] === undefined)) {
    return Promise.resolve(undefined)
  }
  if (declared !== undefined && declared > limits.maxBytes) return Promise.reject(new BodyTooLargeError())
  // Only now is the client told to go on: a request that is rejected never sends its body.
  if (headers.expect !== undefined) response.writeContinue()
  if (declared !== undefined && declared > keptBytes) {
    return Promise.resolve({ stream: passOn([], request, limits), length: declared })
  }
  return collect(request, limits)
}

function collect(request: IncomingMessage, limits: BodyLimits): Promise<RequestBody> {
  const { promise, resolve, reject } = Promise.withResolvers<RequestBody>()
  const body = new GrowingBuffer()
  const silence = setTimeout(() => fail(new BodyTimeoutError()), limits.silenceMs ?? silenceMs)
  const leave = () => {
    clearTimeout(silence)
    request.off('data', onData).off('end', onEnd).off('error', fail)
  }
  function fail(error: Error): void {
    leave()
    reject(error)
  }
  function onData(chunk: Buffer): void {
    const exhausted = limits.share.takeBytes(chunk.length)
    if (exhausted) return fail(new TooMuchAtOnceError(exhausted))
    silence.refresh()
    body.append(chunk)
    if (body.length <= keptBytes) return
    leave()
    request.pause()
    resolve({ stream: passOn([body.bytes()], request, limits), length: undefined })
  }
  function onEnd(): void {
    leave()
    resolve({ bytes: body.bytes(), length: body.length })
  }
  request.on('data', onData).on('end', onEnd).on('error', fail)
  return promise
}

const passOn = (read: readonly Buffer[], request: IncomingMessage, limits: BodyLimits) =>
  Readable.from(resume(read, request, limits), { objectMode: false })

function failSilent(): never {
  throw new BodyTimeoutError()
}

/**
 * What was read already, then the rest as it comes. The request outlives this stream: the client still gets its response.
 */
async function* resume(read: readonly Buffer[], request: IncomingMessage, limits: BodyLimits) {
  let length = 0
  for (const chunk of read) {
    length += chunk.length
    yield chunk
  }
  const rest = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>
  const milliseconds = limits.silenceMs ?? silenceMs
  try {
    for (;;) {
      const next = await pTimeout(rest.next(), { milliseconds, fallback: failSilent })
      if (next.done) return
      length += next.value.length
      if (length > limits.maxBytes) throw new BodyTooLargeError()
      yield next.value
    }
  } finally {
    // Not awaited: after a timeout it would wait for the chunk that does not come.
    rest.return?.().catch(() => undefined)
  }
}
