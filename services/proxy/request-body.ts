import type { IncomingMessage } from 'node:http'
import { mib } from '#core/units.ts'

/** Larger bodies are refused. */
const maxBodyBytes = 100 * mib

/** Bodies up to this size are looked into for what the log wants to know. */
const readableBytes = mib

export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/**
 * Reads a request's body whole, without touching a byte of it.
 * @returns undefined when the request has none
 * @throws BodyTooLargeError | Error when the client goes away
 */
export function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const { headers } = request
  const declared = Number(headers['content-length'] ?? 0)
  if (declared === 0 && headers['transfer-encoding'] === undefined) return Promise.resolve(undefined)
  if (declared > maxBodyBytes) return Promise.reject(new BodyTooLargeError())
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxBodyBytes) chunks.push(chunk)
    else reject(new BodyTooLargeError())
  })
  request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)))
  request.on('error', reject)
  return promise
}

/** The model that a JSON body names. Anything that is not such a body is the provider's business: `null`. */
export function modelOf(body: Buffer | undefined, contentType: string | undefined): string | null {
  if (!body || body.length > readableBytes || !contentType?.toLowerCase().includes('json')) return null
  try {
    const { model } = JSON.parse(body.toString()) as { model?: unknown }
    return typeof model === 'string' ? model.slice(0, 200) : null
  } catch {
    return null
  }
}
