import { expect, test } from 'vitest'
import { SharedLimit } from '#core/limits/shared-limit.ts'
import { createMetrics, readMetrics } from '#core/metrics.ts'
import { toMetricsText } from '#core/metrics-text.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { createRequestMetrics } from './metrics.ts'

test('of slow requests, the latest one of each bucket is an exemplar', async () => {
  const registry = createMetrics()
  const health = { cooling: 0 } as Parameters<typeof createRequestMetrics>[1]
  const { finished } = createRequestMetrics(registry, health, new SharedLimit({ account: 1, process: 1 }))
  const [fast, slow, latest] = [310, 7_000, 8_000].map((overheadUs) =>
    requestEvent({ overheadUs, timeToFirstByteMs: 1 }),
  )
  for (const event of [fast!, slow!, latest!]) finished(event)
  const text = toMetricsText(await readMetrics(registry), { isOpenMetrics: true })
  expect(text).toContain(`added_latency_seconds_bucket{le="0.01"} 3 # {request_id="${latest!.id}"} 0.008 `)
  expect(text).not.toContain(slow!.id)
  expect(text).not.toContain(fast!.id)
})
