import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import { z } from 'zod'
import { json, type Answer } from './answer.ts'
import { ProviderError, sampleError } from './errors.ts'
import { pause, type Exchange } from './exchange.ts'
import { noFaults } from './faults.ts'
import { firstPart, padBody } from './padding.ts'

/** Time for the bytes of a cut answer to leave before its socket goes, ms. */
const flushMs = 20

const headersFor = (exchange: Exchange, { status, contentType, headers }: Answer): Record<string, string | number> => ({
  'content-type': contentType,
  'openai-organization': 'org-sample',
  'openai-processing-ms': Math.round(performance.now() - exchange.startedAt),
  'openai-version': '2020-10-01',
  'x-ratelimit-limit-requests': '10000',
  'x-ratelimit-limit-tokens': '2000000',
  'x-ratelimit-remaining-requests': status === 429 ? '0' : '9999',
  'x-ratelimit-remaining-tokens': '1999000',
  'x-ratelimit-reset-requests': status === 429 ? '1s' : '6ms',
  'x-ratelimit-reset-tokens': '30ms',
  'x-request-id': exchange.id,
  ...headers,
})

const openSink = (raw: ServerResponse, gzip: boolean): Writable => {
  if (!gzip) return raw
  const sink = createGzip({ flush: constants.Z_SYNC_FLUSH })
  raw.once('close', () => sink.destroy())
  sink.pipe(raw)
  return sink
}

const drained = async (sink: Writable, raw: ServerResponse): Promise<void> => {
  const done = new AbortController()
  const { signal } = done
  await Promise.race([once(sink, 'drain', { signal }), once(raw, 'close', { signal })])
  done.abort()
}

/** Resolves once all that was written has gone on: a compressor takes its time, in a thread of its own. */
const written = (sink: Writable): Promise<unknown> => new Promise((resolve) => sink.write('', resolve))

const cut = async ({ raw, record }: Exchange): Promise<void> => {
  await pause(raw, flushMs)
  record.reset = !raw.destroyed
  raw.destroy()
}

/** Chunk by chunk, as the client takes them; stops without a trace when it leaves. */
const deliverChunks = async (exchange: Exchange, answer: Answer): Promise<void> => {
  const { raw, faults } = exchange
  const body = padBody(answer, faults.bytes)
  const headers = headersFor(exchange, answer)
  if (faults.gzip) headers['content-encoding'] = 'gzip'
  else if (body.length !== undefined) headers['content-length'] = body.length
  raw.writeHead(answer.status, headers)
  if (faults.reset === 'headers') {
    raw.flushHeaders()
    return cut(exchange)
  }
  const sink = openSink(raw, faults.gzip)
  let first = true
  for (const chunk of faults.reset === 'stream' ? firstPart(body) : body.chunks) {
    if (!first && faults.chunkDelayMs > 0) await pause(raw, faults.chunkDelayMs)
    first = false
    if (raw.destroyed) return
    if (!sink.write(chunk)) await drained(sink, raw)
  }
  if (faults.reset === 'stream') {
    await written(sink)
    return cut(exchange)
  }
  sink.end()
}

const deliver = (exchange: Exchange, answer: Answer): Promise<void> | void => {
  const { raw, faults } = exchange
  if (raw.destroyed) return
  if (raw.headersSent) {
    raw.destroy()
    return
  }
  const { body } = answer
  if (faults !== noFaults || !(typeof body === 'string' || Buffer.isBuffer(body)))
    return deliverChunks(exchange, answer)
  const headers = headersFor(exchange, answer)
  headers['content-length'] = Buffer.byteLength(body)
  raw.writeHead(answer.status, headers)
  raw.end(body)
}

const HttpError = z.object({ statusCode: z.number().max(499), message: z.string() })

export const toProviderError = (error: unknown): ProviderError => {
  if (error instanceof ProviderError) return error
  const { data } = HttpError.safeParse(error)
  if (data) return new ProviderError(data.statusCode, data.message)
  console.error(error)
  return sampleError(500)
}

export const deliverError = (exchange: Exchange, error: unknown): Promise<void> | void => {
  if (exchange.raw.destroyed) return
  const problem = toProviderError(error)
  return deliver(exchange, json(problem.toBody(), problem.status, problem.headers))
}

/** The faults that come before an answer. True when there is to be none. */
const intercept = async ({ raw, record, faults }: Exchange): Promise<boolean> => {
  if (faults.delayMs > 0) await pause(raw, faults.delayMs)
  if (faults.hang || raw.destroyed) return true
  if (faults.reset === 'before') {
    record.reset = true
    raw.socket?.resetAndDestroy()
    return true
  }
  if (faults.status === undefined) return false
  throw sampleError(
    faults.status,
    faults.errorCode,
    faults.retryAfter === undefined ? undefined : { 'retry-after': faults.retryAfter },
  )
}

/** Makes an answer and sends it, with the faults that were asked for. Never rejects. */
export const respond = async (exchange: Exchange, produce: () => Answer | Promise<Answer>): Promise<void> => {
  try {
    if (exchange.faults !== noFaults && (await intercept(exchange))) return
    await deliver(exchange, await produce())
  } catch (error) {
    await deliverError(exchange, error)
  }
}
