import type { Registry } from 'prom-client'
import { addGauge, addScraped } from '#core/metrics.ts'
import type { Connections } from '#core/http/connections.ts'
import type { Readiness } from './readiness.ts'

/** Metrics of one process, read at each scrape. */
export function addProcessMetrics(
  registry: Registry,
  connections: Pick<Connections, 'count'>,
  readiness: Pick<Readiness, 'isDraining' | 'check'>,
): void {
  addGauge(registry, 'sallyport_http_connections', 'Open client connections.', () => connections.count)
  addGauge(registry, 'sallyport_draining', '1 while the process shuts down.', () => Number(readiness.isDraining))
  addScraped(registry, {
    name: 'sallyport_need_up',
    help: '1 if this process can reach a store or write its spool. The label has the names of /readyz.',
    labelNames: ['need'],
    async read() {
      const { needs } = await readiness.check()
      return Object.entries(needs).map(([need, state]) => [{ need }, Number(state === 'ok')])
    },
  })
}
