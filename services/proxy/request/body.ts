import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { GrowingBuffer } from '#core/growing-buffer.ts'
import { SilenceTimer } from '#core/http/silence-timer.ts'
import { LimitExceededError } from '#core/limits/shared-limit.ts'
import { mib, second } from '#core/units.ts'
import { GatewayError } from './gateway-error.ts'
import type { RequestShare } from './request-share.ts'

/** Bodies up to this size are kept in memory, so that they can be sent again. */
const keptBytes = 10 * mib

/** A client that sends none of its body for this long is disconnected. */
const silenceMs = 30 * second

/** Either complete in memory, or a stream that can be sent only once; undefined for a request without a body. */
export type RequestBody = { bytes: Buffer; length: number } | StreamedBody | undefined

interface StreamedBody {
  stream: Readable
  /** As declared; undefined if it comes in chunks. */
  length: number | undefined
  /** How much of it has been read so far. */
  readBytes: number
}

/** Of an upload in chunks: what has been read so far. */
export const bytesOf = (body: RequestBody): number => body?.length ?? (body && 'stream' in body ? body.readBytes : 0)

interface BodyLimits {
  maxBytes: number
  share: RequestShare
}

/** @throws GatewayError | LimitExceededError | Error when the client disconnects */
export function takeBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): RequestBody | Promise<RequestBody> {
  const { headers } = request
  const declared = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
  if (declared === 0 || (declared === undefined && headers['transfer-encoding'] === undefined)) {
    return undefined
  }
  if (declared !== undefined && declared > limits.maxBytes) throw new GatewayError('body_too_large')
  // Only now: a rejected client should never send its body. HTTP/1.0 has no interim responses.
  if (headers.expect !== undefined && request.httpVersionMinor !== 0) response.writeContinue()
  if (request.complete || request.readableLength === declared) return takeArrived(request, limits)
  if (declared !== undefined && declared > keptBytes) {
    return streamBody([], request, limits, declared)
  }
  return collectBody(request, limits)
}

/** A short body often arrives together with the head. Node tells its end only after this turn of the event loop. */
function takeArrived(request: IncomingMessage, { share }: BodyLimits): RequestBody {
  const bytes: Buffer | null = request.read()
  if (!request.complete) request.resume()
  if (!bytes) return undefined
  const exhausted = share.takeBytes(bytes.length)
  if (exhausted) throw new LimitExceededError(exhausted)
  return { bytes, length: bytes.length }
}

function collectBody(request: IncomingMessage, limits: BodyLimits): Promise<RequestBody> {
  // A client that has disconnected by now causes no further event.
  if (request.destroyed) throw new Error('aborted')
  const { promise, resolve, reject } = Promise.withResolvers<RequestBody>()
  const body = new GrowingBuffer()
  const silence = new SilenceTimer(silenceMs, () => fail(new GatewayError('body_timeout')))
  const leave = () => {
    silence.stop()
    request.off('data', onData).off('end', onEnd).off('error', fail)
  }
  function fail(error: Error): void {
    leave()
    reject(error)
  }
  function onData(chunk: Buffer): void {
    const exhausted = limits.share.takeBytes(chunk.length)
    if (exhausted) return fail(new LimitExceededError(exhausted))
    silence.refresh()
    body.append(chunk)
    if (body.length <= keptBytes) return
    leave()
    request.pause()
    resolve(streamBody([body.bytes()], request, limits))
  }
  function onEnd(): void {
    leave()
    resolve({ bytes: body.bytes(), length: body.length })
  }
  request.on('data', onData).on('end', onEnd).on('error', fail)
  return promise
}

function streamBody(
  read: readonly Buffer[],
  request: IncomingMessage,
  { maxBytes }: BodyLimits,
  length?: number,
): StreamedBody {
  const body = { length, readBytes: read.reduce((sum, chunk) => sum + chunk.length, 0) }
  const stream = Readable.from(readOn(read, request, maxBytes, body), { objectMode: false })
  return Object.assign(body, { stream })
}

/** Yields the chunks already read, then the rest. The request stays open for its response. */
async function* readOn(
  read: readonly Buffer[],
  request: IncomingMessage,
  maxBytes: number,
  body: Pick<StreamedBody, 'readBytes'>,
) {
  yield* read
  const rest: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const { promise: silent, reject } = Promise.withResolvers<never>()
      const silence = new SilenceTimer(silenceMs, () => reject(new GatewayError('body_timeout')))
      const next = await Promise.race([rest.next(), silent]).finally(() => silence.stop())
      if (next.done) return
      body.readBytes += next.value.length
      if (body.readBytes > maxBytes) throw new GatewayError('body_too_large')
      yield next.value
    }
  } finally {
    // Not awaited, because after a timeout it would wait forever for a chunk. The rest can be drained only after it.
    rest.return?.().then(
      () => request.resume(),
      () => undefined,
    )
  }
}
