import { finished, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SharedLimit } from '#core/limits/shared-limit.ts'
import type { EndWithCredential } from './plugins/end-with-credential.ts'

interface ExportedFile {
  name: string
  mediaType: string
  /** Read at the pace of the client. */
  parts: AsyncIterable<string | Uint8Array>
}

export interface ExportOptions {
  limit: SharedLimit
  endWithCredential: EndWithCredential
}

/**
 * Sends a file as a download. It counts towards the limit, and is read, until the response ends: early if the client
 * leaves, asked for the headers only or is no longer signed in.
 * @throws LimitExceededError
 */
export function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  { limit, endWithCredential }: ExportOptions,
  { name, mediaType, parts }: ExportedFile,
): void {
  const { user } = request
  limit.take(user.id)
  const stopWatching = endWithCredential(request, reply.raw)
  const content = Readable.from(parts, { objectMode: false })
  // Also called if the client has left by now.
  finished(reply.raw, () => {
    content.destroy()
    stopWatching()
    limit.release(user.id)
  })
  void reply.type(mediaType).header('content-disposition', `attachment; filename="${name}"`).send(content)
}
