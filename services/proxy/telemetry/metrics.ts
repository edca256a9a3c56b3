import { Counter, Histogram, type Registry } from 'prom-client'
import type { RequestEvent } from '#schemas/request-event.ts'
import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import { addGauge } from '#core/metrics.ts'
import type { SharedLimit } from '#core/limits/shared-limit.ts'
import { second } from '#core/units.ts'
import type { KeyHealth } from '../keys/key-health.ts'
import type { LimitErrorCode } from '../response/error-responses.ts'

export interface RequestObserver {
  finished(event: RequestEvent): void
  unauthenticated(code: ProxyErrorCode): void
  /** @param by what decided; `degraded`: this proxy alone, because Redis did not respond */
  limited(by: 'redis' | 'local' | 'degraded' | 'none', rejection: LimitErrorCode | undefined): void
}

/** Requests that take longer than this, s, get exemplars. For all requests, they would double the cost of counting. */
const slowAdded = 0.005
const slowFirstByte = 1
const none = {}

const microsecondsPerSecond = 1_000_000

const observe = (histogram: Histogram, value: number, slow: number, requestId: string) =>
  histogram.observe({ value, exemplarLabels: value > slow ? { request_id: requestId } : none })

const statusClasses = Array.from({ length: 10 }, (_, hundreds) => `${hundreds}xx`)

export function createRequestMetrics(registry: Registry, health: KeyHealth, inFlight: SharedLimit): RequestObserver {
  const registers = [registry]
  const countRequest = addTally('sallyport_proxy_requests_total', 'Authenticated requests that have ended.', [
    'outcome',
    'status_class',
  ])
  const countDecision = addTally('sallyport_proxy_limit_decisions_total', 'Limit decisions by decider and result.', [
    'by',
    'rejection',
  ])
  addGauge(registry, 'sallyport_proxy_in_flight', 'Requests in flight.', () => inFlight.used)
  addGauge(registry, 'sallyport_proxy_cooling_keys', 'Provider keys in cooldown.', () => health.cooling)
  const unauthenticated = new Counter({
    name: 'sallyport_proxy_unauthenticated_total',
    help: 'Requests that failed authentication, by error code.',
    labelNames: ['code'],
    registers,
  })
  const added = addHistogram(
    'sallyport_proxy_added_latency_seconds',
    'Latency that the gateway added to that of the provider.',
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5],
  )
  const firstByte = addHistogram(
    'sallyport_proxy_first_byte_seconds',
    'Time to the first byte of the response of the provider.',
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  )
  const retries = new Counter({
    name: 'sallyport_proxy_retries_total',
    help: 'Retries of requests to providers.',
    registers,
  })
  const cache = new Counter({
    name: 'sallyport_proxy_cache_total',
    help: 'Cache lookups by result.',
    labelNames: ['result'],
    registers,
  })

  function addHistogram(name: string, help: string, buckets: number[]): Histogram {
    const histogram = new Histogram({ name, help, buckets, registers: [], enableExemplars: true })
    // Not passed to the constructor, which rejects registries in the text format without exemplars.
    registry.registerMetric(histogram)
    return histogram
  }

  /** Adds up counts by two labels until the next scrape, because prom-client checks and joins labels at every count. */
  function addTally(name: string, help: string, labelNames: [string, string]): (one: string, other: string) => void {
    const tally = new Map<string, Map<string, number>>()
    const [label, otherLabel] = labelNames
    registry.registerMetric(
      new Counter({
        name,
        help,
        labelNames,
        registers: [],
        collect() {
          for (const [one, counts] of tally)
            for (const [other, count] of counts) this.inc({ [label]: one, [otherLabel]: other }, count)
          tally.clear()
        },
      }),
    )
    return (one, other) => {
      let counts = tally.get(one)
      if (!counts) tally.set(one, (counts = new Map()))
      counts.set(other, (counts.get(other) ?? 0) + 1)
    }
  }

  return {
    finished(event) {
      countRequest(event.outcome, statusClasses[Math.floor(event.status / 100)] ?? '0xx')
      if (event.overheadUs !== null) observe(added, event.overheadUs / microsecondsPerSecond, slowAdded, event.id)
      if (event.timeToFirstByteMs !== null)
        observe(firstByte, event.timeToFirstByteMs / second, slowFirstByte, event.id)
      if (event.attempts > 1) retries.inc(event.attempts - 1)
      if (event.cacheStatus !== null) cache.inc({ result: event.cacheStatus })
    },
    unauthenticated: (code) => unauthenticated.inc({ code }),
    limited: (by, rejection) => countDecision(by, rejection ?? 'none'),
  }
}
