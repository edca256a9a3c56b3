import { once } from 'node:events'
import { createServer } from './http/node-http.ts'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, type Counter, Gauge, Histogram, Registry } from 'prom-client'
import { Metrics, negotiateFormat, toMetricsText } from './metrics-text.ts'

/** Avoids the global registry, so that tests can have several. */
export function createMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

export const readMetrics = async (registry: Registry): Promise<Metrics> =>
  Metrics.parse(await registry.getMetricsAsJSON())

/** One of the values of a metric; `null` is left out. */
export type Sample = [labels: Record<string, string>, value: number | null]

interface ScrapedMetric {
  name: string
  help: string
  /** The values of a counter never decrease. */
  Type?: typeof Counter
  labelNames?: string[]
  /** Called at each scrape. */
  read(): Sample[] | Promise<Sample[]>
}

/** Adds a metric whose values are not counted here but read at each scrape. */
export function addScraped(
  registry: Registry,
  { Type = Gauge, labelNames = [], read, ...described }: ScrapedMetric,
): void {
  const metric = new Type({
    ...described,
    labelNames,
    registers: [],
    async collect() {
      const samples = await read()
      this.reset()
      // A reset sets a metric without labels to 0.
      if (labelNames.length === 0) this.remove({})
      for (const [labels, value] of samples) if (value !== null) this.inc(labels, value)
    },
  })
  registry.registerMetric(metric)
}

export const addGauge = (registry: Registry, name: string, help: string, read: () => number): void =>
  addScraped(registry, { name, help, read: () => [[{}, read()]] })

export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'sallyport_http_request_duration_seconds',
    help: 'Time from the request to the end of its response, by status; `aborted` if the client left before it.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [registry],
  })
  app.addHook('onRequest', (request, reply, done) => {
    const stopTimer = duration.startTimer()
    // Fastify's `onResponse` is not called for clients that leave.
    reply.raw.once('close', () => {
      const route = request.routeOptions.url ?? 'unmatched'
      const status = reply.raw.writableEnded ? reply.statusCode : 'aborted'
      stopTimer({ method: request.method, route, status })
    })
    done()
  })
}

/**
 * Serves `/metrics` on a separate port, because it needs no sign-in and must not be public.
 * @returns a function that stops it
 */
export async function serveMetrics(
  read: () => Promise<Metrics>,
  { host, port }: { host: string; port: number },
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end()
    const format = negotiateFormat(request.headers.accept)
    read().then(
      (metrics) => response.writeHead(200, { 'content-type': format.contentType }).end(toMetricsText(metrics, format)),
      () => response.writeHead(500).end(),
    )
  })
  await once(server.listen(port, host), 'listening')
  const close = promisify(server.close.bind(server))
  return () => {
    server.closeAllConnections()
    return close()
  }
}
