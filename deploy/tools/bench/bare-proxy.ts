/**
 * A baseline: the fastest that fastify and undici allow, without authentication, limits or logs. It buffers request
 * bodies, because streaming into undici costs a quarter more, and sends the head of a complete response with its body.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import Fastify from 'fastify'
import { type Dispatcher, Pool } from 'undici'
import { required } from '#tools/process/required.ts'

const upstream = new Pool(required(process.env['UPSTREAM'], 'UPSTREAM'), { pipelining: 1 })
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade'])

/** Relays a provider's response to the client. */
class Pass implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse
  #controller: Dispatcher.DispatchController | undefined

  constructor(response: ServerResponse) {
    this.#response = response
    response.once('close', () => {
      if (!response.writableFinished) this.#controller?.abort(new Error('the client has disconnected'))
    })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    const kept: IncomingHttpHeaders = {}
    for (const name in headers) if (!hopByHop.has(name)) kept[name] = headers[name]
    this.#response.writeHead(status, kept)
    if (!kept['content-length']) this.#response.flushHeaders()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#response.write(chunk)) return
    controller.pause()
    this.#response.once('drain', () => controller.resume())
  }

  onResponseEnd(): void {
    this.#response.end()
  }

  onResponseError(): void {
    this.#response.destroy()
  }
}

const app = Fastify({ logger: false, bodyLimit: 10 << 20 })
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post<{ Body: Buffer }>('/*', ({ raw, body }, reply) => {
  reply.hijack()
  const { 'content-type': type = 'application/json', accept = '*/*', 'user-agent': agent = 'bare' } = raw.headers
  const headers = ['content-type', type, 'accept', accept, 'authorization', 'Bearer key', 'user-agent', agent]
  upstream.dispatch({ method: 'POST', path: raw.url ?? '/', headers, body }, new Pass(reply.raw))
})
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']), backlog: 4_096 })
console.log('ready')
process.once('SIGTERM', () => process.exit())
