/** The least that a proxy on fastify and undici can do: no authentication, no limit, no log. A line of comparison. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import Fastify from 'fastify'
import { type Dispatcher, Pool } from 'undici'
import { required } from '#tools/process/required.ts'

const upstream = new Pool(required(process.env['UPSTREAM'], 'UPSTREAM'), { pipelining: 1 })
const app = Fastify({ logger: false })
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host'])

class Pass implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) controller.abort(new Error('the client is gone'))
    })
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#response.writeHead(status, withoutHopByHop(headers))
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

function withoutHopByHop(headers: IncomingHttpHeaders): string[] {
  const kept: string[] = []
  for (const name in headers) if (!hopByHop.has(name)) kept.push(name, String(headers[name]))
  return kept
}

app.removeAllContentTypeParsers()
app.addContentTypeParser('*', (_request, _payload, done) => done(null))
app.all('/*', ({ raw }, reply) => {
  reply.hijack()
  upstream.dispatch(
    {
      method: raw.method ?? 'GET',
      path: raw.url ?? '/',
      headers: withoutHopByHop(raw.headers),
      body: raw.method === 'GET' ? null : raw,
    },
    new Pass(reply.raw),
  )
})
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
console.log('ready')
