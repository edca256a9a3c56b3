import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openAccount, type TestAccount } from '#tools/stack/account.ts'
import { findMetricsPorts } from '#tools/process/free-port.ts'
import { listenLocally } from '#tools/process/listen.ts'
import { createProvider } from '#tools/sample-provider/provider.ts'
import { startStack, type StackProcess } from '#tools/stack/launched-stack.ts'
import { RequestLogSummary } from '#schemas/request-logs.ts'
import { selectors } from './provisioned.ts'

/** Prometheus itself records this for every target. */
const ofPrometheus = 'up'

/** Prometheus adds these to every series. */
const addedLabels = ['job', 'component', 'instance']

/** Prometheus renames a label of the services that it adds itself. */
const ownLabel = (label: string) => (label === 'exported_job' ? 'job' : label)

/** The series names under which Prometheus stores a `/metrics`, including metrics without a value yet. */
const namesIn = (text: string) =>
  [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
  )

/** The sum of all series of a metric with these labels. */
const sumOf = (text: string, name: string, labels = '') =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)

const Attributes = z
  .array(z.looseObject({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])))
const Export = z.looseObject({
  resourceSpans: z.array(
    z.looseObject({
      resource: z.looseObject({ attributes: Attributes }),
      scopeSpans: z.array(z.looseObject({ spans: z.array(z.looseObject({ name: z.string() })) })),
    }),
  ),
})

/** Received by the collector: names of spans, resources and keys. */
const spans: string[] = []
const resources: Record<string, unknown>[] = []
const keys = new Set<unknown>()

const collector = createServer(async (request, response) => {
  keys.add(request.headers['x-api-key'])
  for (const { resource, scopeSpans } of Export.parse(JSON.parse((await buffer(request)).toString())).resourceSpans) {
    resources.push(resource.attributes)
    spans.push(...scopeSpans.flatMap((scope) => scope.spans.map(({ name }) => name)))
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
const provider = createProvider()
const port = await findMetricsPorts()
let stack: StackProcess
let account: TestAccount

beforeAll(async () => {
  stack = await startStack({
    env: {
      METRICS_PORT: String(port),
      SMTP_URL: 'smtp://127.0.0.1:9',
      PUBLIC_URL: 'http://127.0.0.1',
      PROVIDER_BASE_URL: await provider.listen({ port: 0, host: '127.0.0.1' }),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await listenLocally(collector)}`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=col%20lector',
      OTEL_SERVICE_NAME: 'gate',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
    },
  })
  account = await openAccount(stack.url, { username: 'metrics' })
  const { token } = await account.newToken('metrics')
  const send = async (model: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${stack.url}/api/proxy/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    await response.text()
  }
  for (const model of ['gpt-4o', 'gpt-4o-mini', 'gpt-4o-mini', 'an-unknown-model']) await send(model)
  await send('gpt-4o', { 'x-provider-status': '429' })
  await send('gpt-4o', { authorization: 'Bearer st_wrong' })
})
afterAll(async () => {
  await stack?.stop()
  await provider.close()
  collector.close()
})

async function readMetrics(): Promise<string> {
  const texts = [port, port + 1].map(async (each) => (await fetch(`http://127.0.0.1:${each}/metrics`)).text())
  return (await Promise.all(texts)).join('\n')
}

test('alerts and dashboards ask for metrics that the services serve; usage equals the sums of the logs', async () => {
  const requests = async (labels: string) => sumOf(await readMetrics(), 'sallyport_usage_requests_total', labels)
  await expect.poll(() => requests('status="'), { timeout: 30_000 }).toBe(5)
  const text = await readMetrics()
  const lines = String(await account.get('/api/logs/export?format=jsonl'))
    .trim()
    .split('\n')
  const logs = lines.map((line) => RequestLogSummary.partial().parse(JSON.parse(line)))
  const known = logs.filter(({ model }) => model === 'gpt-4o-mini')
  expect(known).toHaveLength(2)
  const total = (key: 'promptTokens' | 'completionTokens' | 'costNanoUsd') =>
    known.reduce((sum, log) => sum + (log[key] ?? 0), 0)
  const ofModel = (name: string, labels: string) => sumOf(text, name, `{model="gpt-4o-mini"${labels}}`)
  expect(total('promptTokens')).toBeGreaterThan(0)
  expect(ofModel('sallyport_usage_requests_total', ',status="200"')).toBe(2)
  expect(ofModel('sallyport_usage_tokens_total', ',type="input"')).toBe(total('promptTokens'))
  expect(ofModel('sallyport_usage_tokens_total', ',type="output"')).toBe(total('completionTokens'))
  expect(ofModel('sallyport_usage_cost_usd_total', '')).toBeCloseTo(total('costNanoUsd') / 1e9, 9)
  expect(sumOf(text, 'sallyport_usage_requests_total', '{model="other",')).toBe(1)
  expect(sumOf(text, 'sallyport_upstream_attempts_total', 'result="429"')).toBe(1)

  const served = new Set([ofPrometheus, ...namesIn(text)])
  expect(selectors.length).toBeGreaterThan(30)
  expect(selectors.map(({ metric }) => metric).filter((metric) => !served.has(metric))).toEqual([])
  const has = (metric: string, label: string) =>
    addedLabels.includes(label) || new RegExp(`^${metric}\\{.*\\b${ownLabel(label)}="`, 'm').test(text)
  const missing = selectors.flatMap(({ metric, labels }) =>
    labels.filter((label) => !has(metric, label)).map((label) => `${metric}: ${label}`),
  )
  expect(missing).toEqual([])
})

test('every role sends its spans to the collector, as the variables of OpenTelemetry say', async () => {
  const ofProxy = ['POST /v1/chat/completions', 'chat gpt-4o-mini', 'POST']
  const ofOthers = ['POST /api/register', 'POST /api/tokens', 'INSERT request_logs']
  await expect.poll(() => spans, { timeout: 20_000 }).toEqual(expect.arrayContaining([...ofProxy, ...ofOthers]))
  expect(new Set(resources.map((each) => each['service.name']))).toEqual(new Set(['gate']))
  expect(resources[0]).toMatchObject({ 'deployment.environment.name': 'test' })
  expect([...keys]).toEqual(['col lector'])
})
