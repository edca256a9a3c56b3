import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import type { RequestEvent } from '#schemas/request-event.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { createUsageMetrics } from './usage-metrics.ts'
import { UsageTally } from './usage-tally.ts'

const key = uuidv7()
const attempt = (result: string, apiKeyId = key) => ({ apiKeyId, startedAfterMs: 0, durationMs: 1, result })

async function textOf(events: readonly RequestEvent[]): Promise<string> {
  const registry = new Registry()
  const { labels, count } = createUsageMetrics(registry)
  const tally = new UsageTally(labels)
  for (const event of events) tally.add(event)
  count(tally)
  return registry.metrics()
}

const seriesOf = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(`${name}{`))

test('requests, tokens and cost are counted by model and status', async () => {
  const text = await textOf([
    requestEvent({ promptTokens: 10, completionTokens: 4, cachedTokens: 6, costNanoUsd: 500_000_000 }),
    requestEvent({ promptTokens: 5, completionTokens: null, cachedTokens: null, costNanoUsd: null, status: 502 }),
    requestEvent({ model: null, status: 0 }),
    requestEvent({ model: null, status: 429, requestCount: 9 }),
  ])
  for (const line of [
    'sallyport_usage_requests_total{model="gpt-4o",status="200"} 1',
    'sallyport_usage_requests_total{model="gpt-4o",status="502"} 1',
    'sallyport_usage_requests_total{model="none",status="0"} 1',
    'sallyport_usage_requests_total{model="none",status="429"} 9',
    'sallyport_usage_tokens_total{model="gpt-4o",type="input"} 15',
    'sallyport_usage_tokens_total{model="gpt-4o",type="output"} 4',
    'sallyport_usage_tokens_total{model="gpt-4o",type="cached"} 6',
    'sallyport_usage_cost_usd_total{model="gpt-4o"} 0.5',
  ])
    expect(text).toContain(line)
})

test('each attempt is counted by its key, also one that was retried', async () => {
  const text = await textOf([
    requestEvent({ attemptLog: [attempt('429'), attempt('upstream_timeout'), attempt('200')] }),
  ])
  for (const result of ['429', 'upstream_timeout', '200'])
    expect(text).toContain(`sallyport_upstream_attempts_total{key="${key}",result="${result}"} 1`)
})

test('10,000 models, and statuses and results that do not exist, have one label value each', async () => {
  const events = Array.from({ length: 10_000 }, (_, at) => {
    const [model, results] = [`gpt-4o-${at}`, [attempt(`made up ${at}`)]]
    return requestEvent({ id: key, model, status: 600 + (at % 400), attemptLog: results })
  })
  const text = await textOf(events)
  const models = seriesOf(text, 'sallyport_usage_requests_total')
  expect(models.toSorted()).toEqual([
    'sallyport_usage_requests_total{model="gpt-4o",status="other"} 9000',
    'sallyport_usage_requests_total{model="other",status="other"} 1000',
  ])
  expect(seriesOf(text, 'sallyport_upstream_attempts_total')).toEqual([
    `sallyport_upstream_attempts_total{key="${key}",result="other"} 10000`,
  ])
})

test('beyond 200 keys, the others share a label value', async () => {
  const text = await textOf(Array.from({ length: 300 }, () => requestEvent({ attemptLog: [attempt('200', uuidv7())] })))
  const series = seriesOf(text, 'sallyport_upstream_attempts_total')
  expect(series).toHaveLength(201)
  expect(series.at(-1)).toContain('{key="other",result="200"} 100')
})
