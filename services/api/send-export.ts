import { finished, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SharedLimit } from '#core/limits/shared-limit.ts'

interface ExportedFile {
  name: string
  mediaType: string
  /** Read at the pace of the client. */
  parts: AsyncIterable<string | Uint8Array>
}

/**
 * Sends a file as a download. It counts towards the limit, and is read, until the response ends: early if the client
 * leaves or asked for the headers only.
 * @throws LimitExceededError
 */
export function sendExport(
  { user }: FastifyRequest,
  reply: FastifyReply,
  limit: SharedLimit,
  { name, mediaType, parts }: ExportedFile,
): void {
  limit.take(user.id)
  const content = Readable.from(parts, { objectMode: false })
  // Also called if the client has left by now.
  finished(reply.raw, () => {
    content.destroy()
    limit.release(user.id)
  })
  void reply.type(mediaType).header('content-disposition', `attachment; filename="${name}"`).send(content)
}
