import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { RequestEvent } from '#schemas/request-event.ts'
import { second } from '#core/units.ts'
import type { KeyHealth } from './key-health.ts'
import type { LimitDecision } from './limits/decision.ts'
import type { RefusalCode } from './refusals.ts'

/** Who decided about a request's limits; `degraded`: this proxy alone, because Redis did not answer. */
export type LimitedBy = 'redis' | 'local' | 'degraded' | 'none'

/** Told of what happens to requests, so that an operator can see it. */
export interface RequestObserver {
  /** A request goes to the provider. */
  started(): void
  /** An authenticated request has ended, whether it went to the provider or was refused before. */
  finished(event: RequestEvent): void
  /** A request was not authenticated. */
  refused(code: RefusalCode): void
  limited(by: LimitedBy, refusal: LimitDecision['refusal']): void
}

const microsecondsPerSecond = 1_000_000

/** The proxy's metrics in Prometheus' form. Durations are seconds, as is the custom there. */
export function createRequestMetrics(registry: Registry, health: KeyHealth): RequestObserver {
  const registers = [registry]
  const requests = new Counter({
    name: 'sallyport_proxy_requests_total',
    help: 'Authenticated requests that have ended.',
    labelNames: ['outcome', 'status_class'],
    registers,
  })
  const refused = new Counter({
    name: 'sallyport_proxy_refused_total',
    help: 'Requests that were not authenticated.',
    labelNames: ['code'],
    registers,
  })
  const inFlight = new Gauge({ name: 'sallyport_proxy_in_flight', help: 'Requests under way.', registers })
  const added = new Histogram({
    name: 'sallyport_proxy_added_latency_seconds',
    help: 'What the gateway added to the time of the provider.',
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5],
    registers,
  })
  const firstByte = new Histogram({
    name: 'sallyport_proxy_first_byte_seconds',
    help: 'Time to the first byte of the provider.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  })
  const retries = new Counter({ name: 'sallyport_proxy_retries_total', help: 'Tries after the first one.', registers })
  const limits = new Counter({
    name: 'sallyport_proxy_limit_decisions_total',
    help: 'Who decided about limits, and what.',
    labelNames: ['by', 'refusal'],
    registers,
  })
  const cache = new Counter({
    name: 'sallyport_proxy_cache_total',
    help: 'Requests for which the cache was asked.',
    labelNames: ['result'],
    registers,
  })
  const resting = new Gauge({
    name: 'sallyport_proxy_resting_keys',
    help: 'Provider keys that are left alone for a while.',
    registers: [],
    collect() {
      this.set(health.resting)
    },
  })
  registry.registerMetric(resting)
  return {
    started: () => inFlight.inc(),
    finished(event) {
      if (event.attempts > 0) inFlight.dec()
      requests.inc({ outcome: event.outcome, status_class: `${Math.floor(event.status / 100)}xx` })
      if (event.overheadUs !== null) added.observe(event.overheadUs / microsecondsPerSecond)
      if (event.timeToFirstByteMs !== null) firstByte.observe(event.timeToFirstByteMs / second)
      if (event.attempts > 1) retries.inc(event.attempts - 1)
      if (event.cacheStatus !== null) cache.inc({ result: event.cacheStatus })
    },
    refused: (code) => refused.inc({ code }),
    limited: (by, refusal) => limits.inc({ by, refusal: refusal ?? 'none' }),
  }
}
