import { Gauge, type Registry } from 'prom-client'
import type { Spool } from './spool.ts'

/** The spool of this proxy, read at each scrape. */
export function addSpoolMetrics(registry: Registry, spool: Spool): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({ name, help, registers: [registry], collect: (): void => void set(name, read()) })
  const set = (name: string, value: number) => (registry.getSingleMetric(name) as Gauge).set(value)
  gauge('sallyport_spool_bytes', 'Bytes of the spool on disk.', () => spool.bytes)
  gauge(
    'sallyport_spool_fullness_ratio',
    'Used part of the spool’s room; alert at 0.8, 503 at 0.95.',
    () => spool.fullness,
  )
  gauge('sallyport_spool_events', 'Requests under way or waiting for the queue.', () => spool.events)
  gauge(
    'sallyport_spool_accepted_requests',
    'Requests that this proxy has accepted since it started.',
    () => spool.accepted,
  )
}
