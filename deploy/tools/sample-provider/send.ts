import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, createGzip } from 'node:zlib'
import { z } from 'zod'
import { ProviderError, sampleError } from './errors.ts'
import type { ReceivedRequest } from './received-request.ts'
import { firstPart, json, padResponse, type SampleResponse } from './response.ts'

/** Time to send the bytes of a cut response before its socket is closed, ms. */
const flushMs = 20

const headersFor = ({ id, startedAt }: ReceivedRequest, { status, contentType, headers }: SampleResponse) => ({
  'content-type': contentType,
  'openai-organization': 'org-sample',
  'openai-processing-ms': Math.round(performance.now() - startedAt),
  'openai-version': '2020-10-01',
  'x-ratelimit-limit-requests': '10000',
  'x-ratelimit-limit-tokens': '2000000',
  'x-ratelimit-remaining-requests': status === 429 ? '0' : '9999',
  'x-ratelimit-remaining-tokens': '1999000',
  'x-ratelimit-reset-requests': status === 429 ? '1s' : '6ms',
  'x-ratelimit-reset-tokens': '30ms',
  'x-request-id': id,
  ...headers,
})

function compress(raw: ServerResponse): Writable {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH })
  raw.once('close', () => gzip.destroy())
  gzip.pipe(raw)
  return gzip
}

async function cut({ raw, record, closed }: ReceivedRequest): Promise<void> {
  await sleep(flushMs, undefined, { signal: closed })
  record.reset = true
  raw.destroy()
}

async function send(request: ReceivedRequest, plain: SampleResponse): Promise<void> {
  const { raw, faults, closed } = request
  if (raw.destroyed) return
  const response = faults.bytes === undefined ? plain : padResponse(plain, faults.bytes)
  const { status, length } = response
  const contentLength = length === undefined ? {} : { 'content-length': length }
  const encoding = faults.gzip ? { 'content-encoding': 'gzip' } : contentLength
  raw.writeHead(status, { ...headersFor(request, response), ...encoding })
  if (faults.reset === 'headers') {
    raw.flushHeaders()
    return cut(request)
  }
  const sink = faults.gzip ? compress(raw) : raw
  let isFirst = true
  for (const chunk of faults.reset === 'stream' ? firstPart(response) : response.chunks) {
    if (!isFirst && faults.chunkDelayMs > 0) await sleep(faults.chunkDelayMs, undefined, { signal: closed })
    isFirst = false
    if (!sink.write(chunk)) await once(sink, 'drain', { signal: closed })
  }
  if (faults.reset === 'stream') {
    // A compressor runs in a separate thread: this resolves once it has passed on everything.
    await new Promise((resolve) => sink.write('', resolve))
    return cut(request)
  }
  sink.end()
}

const HttpError = z.object({ statusCode: z.number().max(499), message: z.string() })

export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const { data } = HttpError.safeParse(error)
  if (data) return new ProviderError(data.statusCode, data.message)
  console.error(error)
  return sampleError(500)
}

export async function sendError(request: ReceivedRequest, error: unknown): Promise<void> {
  const { raw } = request
  if (raw.destroyed) return
  if (raw.headersSent) return void raw.destroy()
  const { status, headers, body } = toProviderError(error)
  await send(request, { ...json(body), status, headers })
}

/** Creates and sends a response with the requested faults. Never rejects. */
export async function respond(
  request: ReceivedRequest,
  produce: () => SampleResponse | Promise<SampleResponse>,
): Promise<void> {
  const { raw, record, closed } = request
  const { delayMs, hang, reset, status, errorCode, retryAfter } = request.faults
  try {
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: closed })
    if (hang) return
    if (reset === 'before') {
      record.reset = true
      raw.socket?.resetAndDestroy()
      return
    }
    if (status !== undefined) throw sampleError(status, errorCode, retryAfter && { 'retry-after': retryAfter })
    await send(request, await produce())
  } catch (error) {
    await sendError(request, error).catch(() => raw.destroy())
  }
}
