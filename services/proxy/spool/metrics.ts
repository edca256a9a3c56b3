import { Counter, type Registry } from 'prom-client'
import { addGauge, addScraped } from '#core/metrics.ts'
import type { Spool } from './spool.ts'

/** The spool of this proxy, read at each scrape. */
export function addSpoolMetrics(
  registry: Registry,
  spool: Pick<Spool, 'bytes' | 'fullness' | 'events' | 'accepted'>,
): void {
  addGauge(registry, 'sallyport_spool_bytes', 'Bytes of the spool on disk.', () => spool.bytes)
  const fullness = 'Used share of the spool’s capacity, 0 to 1. Alert at 0.8; requests get 503 at 0.95.'
  addGauge(registry, 'sallyport_spool_fullness_ratio', fullness, () => spool.fullness)
  addGauge(registry, 'sallyport_spool_events', 'Requests in flight or waiting for the queue.', () => spool.events)
  addScraped(registry, {
    name: 'sallyport_spool_accepted_requests_total',
    help: 'Requests that this proxy has accepted since it started.',
    Type: Counter,
    read: () => [[{}, spool.accepted]],
  })
}
