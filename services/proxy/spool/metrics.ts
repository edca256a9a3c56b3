import { Gauge, type Registry } from 'prom-client'
import type { Spool } from './spool.ts'

/** The spool of this proxy, read at each scrape. */
export function addSpoolMetrics(registry: Registry, spool: Spool): void {
  const add = (name: string, help: string, read: () => number) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read())
        },
      }),
    )
  add('sallyport_spool_bytes', 'Bytes of the spool on disk.', () => spool.bytes)
  add(
    'sallyport_spool_fullness_ratio',
    'Used part of the spool’s room; alert at 0.8, 503 at 0.95.',
    () => spool.fullness,
  )
  add('sallyport_spool_events', 'Requests under way or waiting for the queue.', () => spool.events)
  add(
    'sallyport_spool_accepted_requests',
    'Requests that this proxy has accepted since it started.',
    () => spool.accepted,
  )
}
