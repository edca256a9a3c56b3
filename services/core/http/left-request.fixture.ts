import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Sends `GET /slow`, and leaves while it is handled. @returns a function that ends the handler and the server */
export async function leaveSlowRequest(app: FastifyInstance): Promise<() => Promise<void>> {
  const query = Promise.withResolvers<string>()
  const started = Promise.withResolvers<void>()
  app.get('/slow', () => {
    started.resolve()
    return query.promise
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const client = connect(Number(port), '127.0.0.1')
  client.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await started.promise
  client.destroy()
  return async () => {
    query.resolve('')
    await app.close()
  }
}

/**
 * Lets the client of a request leave before it is handled. Call it before plugins with routes are registered.
 * @returns a function that sends the request
 */
export function leaveBeforeHandler(app: FastifyInstance): (path: string) => Promise<void> {
  let client: Socket | undefined
  app.addHook('preHandler', async (_request, { raw }) => {
    const closed = once(raw, 'close')
    client?.destroy()
    await closed
  })
  return async (path) => {
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    client = connect(Number(port), '127.0.0.1')
    client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  }
}
