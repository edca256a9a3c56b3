import type { Duplex } from 'node:stream'
import type { RequestOutcome } from '#schemas/request-outcome.ts'
import type { RequestLogBuilder } from '../log/request-log-builder.ts'
import { FrameMask } from './frames.ts'

interface Sockets {
  client: Duplex
  /** Bytes that the client sent after its handshake. */
  head: Buffer
  upstream: Duplex
  /** The provider's key, which the client must not see. */
  secret: string
}

/**
 * Passes bytes both ways until one side closes.
 * @param log counts them as they pass, because a session may last for hours
 */
export function joinSockets(
  { client, head, upstream, secret }: Sockets,
  log: RequestLogBuilder,
): Promise<RequestOutcome> {
  const mask = FrameMask.of(secret)
  const { promise, resolve } = Promise.withResolvers<RequestOutcome>()
  const end = (outcome: RequestOutcome) => {
    resolve(outcome)
    upstream.destroy()
  }
  client.once('error', () => end('client_aborted')).once('close', () => end('completed'))
  // Either may have closed before, and emits no more events.
  if (client.destroyed) end('completed')
  if (upstream.destroyed) client.destroy()
  upstream
    .once('error', () => end('upstream_failed'))
    .once('close', () => client.destroy())
    .once('end', () => client.end())
    .on('data', (chunk: Buffer) => {
      log.countResponseBytes(chunk.length)
      try {
        if (client.write(mask?.push(chunk) ?? chunk)) return
        upstream.pause()
        client.once('drain', () => upstream.resume())
      } catch (error) {
        upstream.destroy(error instanceof Error ? error : undefined)
      }
    })
  client.on('data', (chunk: Buffer) => log.countRequestBytes(chunk.length))
  if (head.length > 0) {
    log.countRequestBytes(head.length)
    upstream.write(head)
  }
  client.pipe(upstream)
  return promise
}
