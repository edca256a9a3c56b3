/** The minimal proxy on fastify and undici, to compare with: no authentication, no limits, no logs. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import Fastify from 'fastify'
import { type Dispatcher, Pool } from 'undici'
import { required } from '#tools/process/required.ts'

const upstream = new Pool(required(process.env['UPSTREAM'], 'UPSTREAM'), { pipelining: 1 })
const app = Fastify({ logger: false })
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host'])

const passTo = (response: ServerResponse): Dispatcher.DispatchHandler => ({
  onRequestStart: (controller) =>
    response.once('close', () => {
      if (!response.writableFinished) controller.abort(new Error('the client has disconnected'))
    }),
  onResponseStart: (_controller, status, headers) => void response.writeHead(status, withoutHopByHop(headers)),
  onResponseData: (controller, chunk) => {
    if (response.write(chunk)) return
    controller.pause()
    response.once('drain', () => controller.resume())
  },
  onResponseEnd: () => void response.end(),
  onResponseError: () => void response.destroy(),
})

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
    passTo(reply.raw),
  )
})
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
console.log('ready')
