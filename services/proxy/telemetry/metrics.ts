import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { RequestEvent } from '#schemas/request-event.ts'
import type { SharedLimit } from '#core/limits/shared-limit.ts'
import { second } from '#core/units.ts'
import type { KeyHealth } from '../keys/key-health.ts'
import type { ErrorCode, LimitErrorCode } from '../response/error-responses.ts'

/** What decided about a request's limits; `degraded`: this proxy alone, because Redis did not respond. */
export type LimitedBy = 'redis' | 'local' | 'degraded' | 'none'

/** Counts what happens to requests, for the operator. */
export interface RequestObserver {
  /** An authenticated request has ended, whether it went to the provider or not. */
  finished(event: RequestEvent): void
  /** A request was not authenticated. */
  unauthenticated(code: ErrorCode): void
  limited(by: LimitedBy, rejection: LimitErrorCode | undefined): void
}

const microsecondsPerSecond = 1_000_000
const statusClasses = Array.from({ length: 10 }, (_, hundreds) => `${hundreds}xx`)

/** The proxy's metrics in Prometheus' form. Durations are seconds, as is the custom there. */
export function createRequestMetrics(registry: Registry, health: KeyHealth, underWay: SharedLimit): RequestObserver {
  const registers = [registry]
  const requestTally = new Tally()
  const requests = new Counter({
    name: 'sallyport_proxy_requests_total',
    help: 'Authenticated requests that have ended.',
    labelNames: ['outcome', 'status_class'],
    registers: [],
    collect() {
      requestTally.takeAll((outcome, statusClass, count) => this.inc({ outcome, status_class: statusClass }, count))
    },
  })
  const unauthenticated = new Counter({
    name: 'sallyport_proxy_refused_total',
    help: 'Requests that were not authenticated.',
    labelNames: ['code'],
    registers,
  })
  const inFlight = new Gauge({
    name: 'sallyport_proxy_in_flight',
    help: 'Requests under way.',
    registers: [],
    collect() {
      this.set(underWay.used)
    },
  })
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
  const limitTally = new Tally()
  const limits = new Counter({
    name: 'sallyport_proxy_limit_decisions_total',
    help: 'Who decided about limits, and what.',
    labelNames: ['by', 'refusal'],
    registers: [],
    collect() {
      limitTally.takeAll((by, refusal, count) => this.inc({ by, refusal }, count))
    },
  })
  const cache = new Counter({
    name: 'sallyport_proxy_cache_total',
    help: 'Requests for which the cache was asked.',
    labelNames: ['result'],
    registers,
  })
  const cooling = new Gauge({
    name: 'sallyport_proxy_resting_keys',
    help: 'Provider keys that are left alone for a while.',
    registers: [],
    collect() {
      this.set(health.cooling)
    },
  })
  registry.registerMetric(requests)
  registry.registerMetric(inFlight)
  registry.registerMetric(limits)
  registry.registerMetric(cooling)
  return {
    finished(event) {
      requestTally.add(event.outcome, statusClasses[Math.floor(event.status / 100)]!)
      if (event.overheadUs !== null) added.observe(event.overheadUs / microsecondsPerSecond)
      if (event.timeToFirstByteMs !== null) firstByte.observe(event.timeToFirstByteMs / second)
      if (event.attempts > 1) retries.inc(event.attempts - 1)
      if (event.cacheStatus !== null) cache.inc({ result: event.cacheStatus })
    },
    unauthenticated: (code) => unauthenticated.inc({ code }),
    limited: (by, rejection) => limitTally.add(by, rejection ?? 'none'),
  }
}

/** Counts since the last scrape, by two labels: prom-client checks and joins labels for every count. */
class Tally {
  readonly #counts = new Map<string, Map<string, number>>()

  add(one: string, other: string): void {
    let counts = this.#counts.get(one)
    if (!counts) this.#counts.set(one, (counts = new Map()))
    counts.set(other, (counts.get(other) ?? 0) + 1)
  }

  takeAll(take: (one: string, other: string, count: number) => void): void {
    for (const [one, counts] of this.#counts) for (const [other, count] of counts) take(one, other, count)
    this.#counts.clear()
  }
}
