import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listenLocally } from '#tools/process/listen.ts'
import { openAccount, type TestAccount } from '#tools/stack/account.ts'
import { type StackProcess, startStack } from '#tools/stack/launched-stack.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'
import type { Analytics, AnalyticsGroups, Measures, Stats } from '#schemas/analytics.ts'
import type { ErrorGroups } from '#schemas/analytics-errors.ts'
import type { LogHistogram } from '#schemas/log-histogram.ts'
import type { LogValues } from '#schemas/log-values.ts'

/** Every view and export must agree with what the clients saw of these requests. */
const requestsMade = 1_000
const requestsAtOnce = 40

/** Tells the provider, in the request, how to respond. */
interface Plan {
  kind: 'json' | 'stream' | 'error' | 'broken' | 'aborted'
  status: number
  code: string
  usage: { prompt_tokens: number; completion_tokens: number; prompt_tokens_details: { cached_tokens: number } }
}

/** A request as its client saw it. */
interface Seen {
  id: string
  at: number
  model: string
  status: number
  outcome: 'completed' | 'client_aborted' | 'upstream_failed'
  errorCode: string | null
  promptTokens: number
  completionTokens: number
  /** `null` if the model has no price or the response was cut off. An error costs nothing. */
  costNanoUsd: number | null
  customer: string | null
}

/** Nano-USD per token: prompt, cached prompt, completion. */
const prices: Record<string, [number, number, number]> = {
  'gpt-4o': [2_500, 1_250, 10_000],
  'gpt-4o-mini': [150, 75, 600],
}
const models = ['gpt-4o', 'gpt-4o-mini', 'our-own-model']
const kinds = ['json', 'stream', 'json', 'error', 'json', 'stream', 'broken', 'json', 'error', 'aborted'] as const
const errors = [
  [400, 'invalid_request'],
  [404, 'model_not_found'],
  [500, 'server_error'],
] as const

const chunk = (delta: object) => `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta }], ...delta })}\n\n`

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') return void response.end('{}')
  const { messages } = (await json(request)) as { messages: [{ content: string }] }
  const { kind, status, code, usage } = JSON.parse(messages[0].content) as Plan
  if (kind === 'error' || kind === 'json') {
    response.writeHead(status, { 'content-type': 'application/json' })
    const error = { message: `No. ${usage.prompt_tokens}`, type: 'of_the_provider', code }
    return void response.end(JSON.stringify(kind === 'error' ? { error } : { id: 'c', choices: [], usage }))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunk({ content: 'Hello' }))
  if (kind === 'broken') return void setTimeout(() => response.destroy(), 5)
  if (kind === 'stream') response.end(`${chunk({ usage })}data: [DONE]\n\n`)
}

const provider = createServer((request, response) => void respond(request, response))
const seen: Seen[] = []
let stack: StackProcess
let account: TestAccount

beforeAll(async () => {
  const port = await listenLocally(provider)
  stack = await startStack({
    env: {
      PROVIDER_BASE_URL: `http://127.0.0.1:${port}`,
      PLAN_LIMITS: JSON.stringify({ free: { requestsPerDay: null } }),
    },
  })
  account = await openAccount(stack.url, { username: 'ledger', key: 'sk-of-the-provider' })
  const { token } = await account.newToken('ledger')
  const indexes = Array.from({ length: requestsMade }, (_, index) => index)
  const client = async () => {
    for (let index = indexes.pop(); index !== undefined; index = indexes.pop()) seen.push(await send(token, index))
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, client))
  const areAllStored = async () => ((await account.get('/api/stats')) as Stats).totalRequests === requestsMade
  await vi.waitUntil(areAllStored, { timeout: 60_000, interval: 200 })
}, 180_000)
afterAll(async () => {
  await stack?.stop()
  provider.closeAllConnections()
  provider.close()
})

async function send(token: string, index: number): Promise<Seen> {
  const kind = kinds[index % kinds.length]!
  const model = models[index % models.length]!
  const [status, code] = kind === 'error' ? errors[index % errors.length]! : ([200, ''] as const)
  const [prompt, completion] = [20 + (index % 90), 5 + (index % 40)]
  const cached = model === 'gpt-4o' ? index % 20 : 0
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    prompt_tokens_details: { cached_tokens: cached },
  }
  const customer = index % 8 === 0 ? null : `customer-${index % 7}`
  const left = new AbortController()
  const response = await fetch(`${stack.url}/api/proxy/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(customer && { 'x-sallyport-metadata': JSON.stringify({ customer }) }),
    },
    body: JSON.stringify({
      model,
      stream: kind !== 'json' && kind !== 'error',
      messages: [{ role: 'user', content: JSON.stringify({ kind, status, code, usage }) }],
    }),
    signal: left.signal,
  })
  const id = response.headers.get('x-request-id')!
  const common = { id, at: uuidTimeMs(id), model, status: response.status, customer }
  const unpaid = { promptTokens: 0, completionTokens: 0, costNanoUsd: null }
  if (kind === 'aborted') {
    await response.body!.getReader().read()
    left.abort()
    return { ...common, ...unpaid, outcome: 'client_aborted', errorCode: null }
  }
  const text = await response.text().catch(() => null)
  if (text === null) return { ...common, ...unpaid, outcome: 'upstream_failed', errorCode: 'upstream_disconnected' }
  if (response.status >= 400)
    return { ...common, ...unpaid, costNanoUsd: 0, outcome: 'completed', errorCode: JSON.parse(text).error.code }
  const price = prices[model]
  return {
    ...common,
    outcome: 'completed',
    errorCode: null,
    promptTokens: prompt,
    completionTokens: completion,
    costNanoUsd: price ? (prompt - cached) * price[0] + cached * price[1] + completion * price[2] : null,
  }
}

const isCut = ({ outcome }: Seen) => outcome !== 'completed'
const isFailed = ({ status }: Seen) => status >= 400
const sum = (list: readonly Seen[], of: (one: Seen) => number | null) =>
  list.reduce((total, one) => total + (of(one) ?? 0), 0)
const countBy = (list: readonly Seen[], of: (one: Seen) => string | null) =>
  Object.fromEntries([...Map.groupBy(list, of)].map(([value, { length }]) => [value ?? '', length]))

/** Responses that were cut off are metered by estimate, which no client can know. */
const filterSets: [string, string, (one: Seen) => boolean][] = [
  ['all but what was cut off', 'outcome=client_aborted,upstream_failed&not=outcome', (one) => !isCut(one)],
  ['failed ones', 'status=failed', isFailed],
  ['two customers', 'tag=customer:customer-1&tag=customer:customer-2', ({ customer }) => /-[12]$/.test(customer ?? '')],
  [
    'a model without a customer',
    'model=gpt-4o&tag=customer:customer-3&not=tag:customer',
    ({ model, customer }) => model === 'gpt-4o' && customer !== 'customer-3',
  ],
]

const range = () => {
  const times = seen.map(({ at }) => at).toSorted((one, other) => one - other)
  // Not on whole seconds, and without the first and last fifty requests.
  return { from: times[50]!, to: times[requestsMade - 50]! }
}
function within(is: (one: Seen) => boolean): { query: string; list: Seen[] } {
  const { from, to } = range()
  const query = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`
  return { query, list: seen.filter((one) => one.at >= from && one.at < to && is(one)) }
}

const totalsOf = (list: readonly Seen[]) => ({
  requests: list.length,
  errors: list.filter(isFailed).length,
  aborted: list.filter(({ outcome }) => outcome === 'client_aborted').length,
  broken: list.filter(({ outcome }) => outcome === 'upstream_failed').length,
  ...(!list.some(isCut) && {
    promptTokens: sum(list, ({ promptTokens }) => promptTokens),
    completionTokens: sum(list, ({ completionTokens }) => completionTokens),
    unpricedRequests: list.filter(({ costNanoUsd }) => costNanoUsd === null).length,
    costNanoUsd: list.some(({ costNanoUsd }) => costNanoUsd !== null) ? sum(list, (one) => one.costNanoUsd) : null,
  }),
})

const zones = ['UTC', 'Asia/Kolkata', 'America/New_York', 'Asia/Kathmandu']

/** Each zone with most requests, and with one of the filters. */
const inZones = zones.flatMap((zone, at) =>
  [...new Set([0, at])].map((index) => {
    const [name, query, is] = filterSets[index]!
    return { name, query, is, zone }
  }),
)

test.each(inZones)('$name in $zone: totals, days, hours, steps and parts', async ({ query, is, zone }) => {
  const { query: exactly, list } = within(is)
  const shown = (await account.get(`/api/analytics?${exactly}&${query}&timezone=${zone}`)) as Analytics
  expect(shown.totals).toMatchObject(totalsOf(list))
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
  const hourOf = new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' })
  expect(Object.fromEntries(shown.daily.map(({ date, requests }) => [date, requests]))).toEqual(
    countBy(list, ({ at }) => dayOf.format(at)),
  )
  expect(
    Object.fromEntries(shown.hourly.flatMap(({ hour, requests }) => (requests ? [[hour, requests]] : []))),
  ).toEqual(countBy(list, ({ at }) => String(Number(hourOf.format(at)))))
  expect(shown.series.reduce((total, { requests }) => total + requests, 0)).toBe(list.length)
  for (const [part, of] of [
    [shown.models, ({ model }: Seen) => model],
    [shown.statuses, ({ status }: Seen) => String(status)],
  ] as const)
    expect(Object.fromEntries(part.map(({ value, requests }) => [value, requests]))).toEqual(countBy(list, of))
})

test.each<[string, (one: Seen) => string | null]>([
  ['model', ({ model }) => model],
  ['status', ({ status }) => String(status)],
  ['outcome', ({ outcome }) => outcome],
  ['errorCode', ({ errorCode }) => errorCode],
  ['tag:customer', ({ customer }) => customer],
])('grouped by %s: totals of each group', async (groupBy, of) => {
  const { query, list } = within(() => true)
  const shown = (await account.get(`/api/analytics/groups?${query}&groupBy=${groupBy}`)) as AnalyticsGroups
  const groups = Map.groupBy(list, of)
  expect(shown.groups.map(({ value }) => value).toSorted()).toEqual([...groups.keys()].toSorted())
  for (const group of shown.groups as (Measures & { value: string | null })[])
    expect(group).toMatchObject(totalsOf(groups.get(group.value) ?? []))
})

const counted = (field: LogValues[number]) =>
  Object.fromEntries(field.values.map(({ value, requests }) => [value, requests]))

test.each(filterSets)('%s: count, histogram, values and errors', async (_name, query, is) => {
  const { query: exactly, list } = within(is)
  const all = `${exactly}&${query}`
  const { steps } = (await account.get(`/api/logs/histogram?${all}`)) as LogHistogram
  expect(steps.reduce((total, { requests }) => total + requests, 0)).toBe(list.length)
  expect(steps.reduce((total, step) => total + step.errors, 0)).toBe(list.filter(isFailed).length)
  const [status, code] = (await account.get(`/api/logs/values?${all}&fields=statusCode,errorCode`)) as LogValues
  expect(counted(status!)).toEqual(countBy(list, (one) => String(one.status)))
  expect(counted(code!)).toEqual(countBy(list, ({ errorCode }) => errorCode))
  const groups = (await account.get(`/api/analytics/errors?${all}`)) as ErrorGroups
  expect(groups.errors).toBe(list.filter(isFailed).length)
  expect(Object.fromEntries(groups.groups.map(({ errorCode, errors: n }) => [errorCode, n]))).toEqual(
    countBy(list.filter(isFailed), ({ errorCode }) => errorCode),
  )
})

const rowOf = ({ id, model, status, outcome, errorCode, customer }: Seen) => ({
  id,
  model,
  responseStatus: status,
  outcome,
  errorCode,
  tags: customer ? { customer } : {},
})

test.each(filterSets)('%s: each row of every export', async (_name, query, is) => {
  const { query: exactly, list } = within(is)
  const read = (format: string) => account.get(`/api/logs/export?${exactly}&${query}&format=${format}`)
  const rows = list.toSorted(byId)
  const lines = String(await read('jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .toSorted(byId)
  expect(lines).toMatchObject(rows.map(rowOf))
  expect(lines.flatMap((line, at) => (isCut(rows[at]!) ? [] : [line.costNanoUsd]))).toEqual(
    rows.flatMap((one) => (isCut(one) ? [] : [one.costNanoUsd])),
  )
  const csv = String(await read('csv'))
    .trim()
    .split('\r\n')
    .slice(1)
  expect(csv.map((line) => line.slice(1, 37)).toSorted()).toEqual(rows.map(({ id }) => id))
})

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
