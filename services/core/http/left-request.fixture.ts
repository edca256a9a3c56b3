import { connect } from 'node:net'
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
