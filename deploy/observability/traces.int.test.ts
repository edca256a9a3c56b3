import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { listenLocally } from '#tools/process/listen.ts'
import { openAccount } from '#tools/stack/account.ts'
import { startStack } from '#tools/stack/launched-stack.ts'
import { startProvider } from '#tools/sample-provider/test-provider.ts'

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
const collectorUrl = `http://127.0.0.1:${await listenLocally(collector)}`
afterAll(() => collector.close())

test('every role sends its spans to the collector, as the variables of OpenTelemetry say', async () => {
  const { origin } = await startProvider()
  const stack = await startStack({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=col%20lector',
      OTEL_SERVICE_NAME: 'gate',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
      PROVIDER_BASE_URL: origin,
    },
  })
  try {
    const account = await openAccount(stack.url, { username: 'traced', baseUrl: origin, key: 'sk-traced' })
    const { token } = await account.newToken('traced')
    const response = await fetch(`${stack.url}/api/proxy/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    expect(response.status).toBe(200)
    const ofProxy = ['POST /v1/chat/completions', 'chat gpt-4o-mini', 'POST']
    const ofOthers = ['POST /api/register', 'POST /api/tokens', 'INSERT request_logs']
    await expect.poll(() => spans, { timeout: 20_000 }).toEqual(expect.arrayContaining([...ofProxy, ...ofOthers]))
    expect(new Set(resources.map((each) => each['service.name']))).toEqual(new Set(['gate']))
    expect(resources[0]).toMatchObject({ 'deployment.environment.name': 'test' })
    expect([...keys]).toEqual(['col lector'])
  } finally {
    await stack.stop()
  }
}, 120_000)
