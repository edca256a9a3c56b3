import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { minute } from '#core/units.ts'
import { useTestBench } from '../test/gateway.fixture.ts'
import { startSocketProvider } from './provider.fixture.ts'

const created = { type: 'response.created', response: { status: 'in_progress' } }
/** 100 tokens. */
const delta = { type: 'response.output_text.delta', delta: 'x'.repeat(400) }
const ended = (response: object) => ({ type: 'response.done', response: { status: 'completed', ...response } })
const usage = { input_tokens: 100, output_tokens: 100, total_tokens: 200 }
const reported = ended({ usage })
const reportedNanoUsd = 100 * 4_000 + 100 * 16_000
/** A prompt has 4,096 tokens if its length is unknown. */
const promptNanoUsd = 4_096 * 4_000

/** Sends what a message asks for, and breaks the connection off if that is nothing. */
const baseUrl = await startSocketProvider((peer) =>
  peer.on('message', (data) => {
    const { events } = JSON.parse(String(data)) as { events: object[] }
    for (const each of events) peer.send(JSON.stringify(each))
    if (events.length === 0) peer.terminate()
  }),
)
const bench = await useTestBench()
const { spendingOf } = bench
const gateway = await bench.startGateway()

async function openSession(token: object = {}, resource = '/realtime?model=gpt-realtime') {
  const account = await bench.createTestAccount({ token, config: { baseUrl } })
  const path = gateway.baseURL.replace('http', 'ws') + resource
  const client = new WebSocket(path, { headers: account.headers })
  onTestFinished(() => client.terminate())
  let messages = 0
  client.on('message', () => (messages += 1))
  await once(client, 'open')
  return {
    account,
    client,
    /** Requests a response, and waits for the events of which it is to consist. */
    async request(...events: object[]) {
      const awaited = messages + events.length
      client.send(JSON.stringify({ type: 'response.create', events }))
      await expect.poll(() => messages).toBe(awaited)
    },
    async log() {
      const [event] = await bench.events.ofAccount(account.accountId, 1)
      return event
    },
  }
}

const limited = { dailyBudgetNanoUsd: 1e9, tokensPerMinute: 1_000_000 }

test('a response without usage costs what its text has, and the cost of its session stays estimated', async () => {
  const { account, client, request, log } = await openSession(limited)
  await request(created, delta, ended({ usage: null }))
  await request(reported)
  client.close()
  const costNanoUsd = promptNanoUsd + 100 * 16_000 + reportedNanoUsd
  expect(await log()).toMatchObject({
    costNanoUsd,
    costSource: 'estimated',
    promptTokens: 4_196,
    completionTokens: 200,
  })
  await expect.poll(() => spendingOf(account)).toEqual({ spentNanoUsd: costNanoUsd, reservedNanoUsd: 0 })
})

test('a response that fails without usage or text costs nothing', async () => {
  const { account, client, request, log } = await openSession(limited)
  await request(created, ended({ status: 'failed', usage: null }))
  client.close()
  expect(await log()).toMatchObject({ costNanoUsd: 0, costSource: 'exact', responses: [{ status: 'failed' }] })
  await expect.poll(() => spendingOf(account)).toEqual({ spentNanoUsd: 0, reservedNanoUsd: 0 })
  await expect.poll(() => bench.state.get(`limit:{${account.accountId}}:${account.token.id}:tokens`)).toBe('0')
})

test('row 55: a session ends once responses without usage have used up the budget', async () => {
  const { client } = await openSession({ dailyBudgetNanoUsd: promptNanoUsd })
  client.send(JSON.stringify({ type: 'response.create', events: [created, delta, ended({ usage: null })] }))
  expect(String((await once(client, 'close'))[1])).toBe('budget_exceeded')
})

test('row 55: a request that the provider does not get, because the budget is used up, costs nothing', async () => {
  const { client, log } = await openSession({ dailyBudgetNanoUsd: reportedNanoUsd / 2 })
  for (let nth = 0; nth < 2; nth += 1) client.send(JSON.stringify({ type: 'response.create', events: [reported] }))
  expect(String((await once(client, 'close'))[1])).toBe('budget_exceeded')
  const event = await log()
  expect(event).toMatchObject({ costNanoUsd: reportedNanoUsd, costSource: 'exact' })
  expect(event?.responses).toHaveLength(1)
})

test('a response that a client leaves counts against the tokens of its minute, though the session is older', async () => {
  const { account, client, request, log } = await openSession({ tokensPerMinute: 1_000_000 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minute })
  onTestFinished(() => void vi.useRealTimers())
  const key = `limit:{${account.accountId}}:${account.token.id}:tokens`
  await bench.state.del(key)
  await request(created, delta)
  client.terminate()
  expect(await log()).toMatchObject({ promptTokens: 4_096, completionTokens: 100 })
  await expect.poll(() => bench.state.get(key)).toBe('4196')
})

const started = { type: 'session.started', session: { model: 'gpt-live-1', delegation: { model: 'gpt-4o' } } }
const after = (type: string, seconds: number) => ({ type, usage: { seconds } })
const ofBackend = (event: object) => ({ type: 'response.event', event })
const backendEnded = { type: 'response.completed', response: { status: 'completed', model: 'gpt-4o', usage } }
const backendNanoUsd = 100 * 2_500 + 100 * 10_000

test.each([
  ['/live/sessions', 90.5, 'exact', [after('session.closed', 90.5)]],
  ['/live/sessions/live_1/fork', 60, 'estimated', []],
])('a session at %s costs by its duration, and what its backend took', async (path, seconds, costSource, last) => {
  const { client, request, log } = await openSession({}, path)
  await request(started, after('session.usage.updated', 30), ofBackend(created), ofBackend(backendEnded))
  await request(after('session.usage.updated', 60), ...last)
  client.close()
  const costNanoUsd = Math.round((seconds * 50_000_000) / 60) + backendNanoUsd
  const tokens = { promptTokens: 100, completionTokens: 100 }
  expect(await log()).toMatchObject({ model: 'gpt-live-1', costNanoUsd, costSource, ...tokens })
})

test('a second connection to a live session does not count it again', async () => {
  const { client, request, log } = await openSession({}, '/live/sessions/live_1/attach')
  await request(started, ofBackend(backendEnded), after('session.closed', 90))
  client.close()
  expect(await log()).toMatchObject({ costNanoUsd: null, costSource: 'unknown', promptTokens: null })
})

test.each(['completed', 'unfinished'])(
  'unfinished responses have a line besides a hundred that are %s',
  async (status) => {
    const { client, request, log } = await openSession()
    await request(...Array.from({ length: 102 }, () => ended({ status, usage })), created)
    client.terminate()
    const lines = (await log())?.responses
    expect(lines).toHaveLength(101)
    expect(lines?.at(-1)).toMatchObject({ status: 'unfinished' })
  },
)

test.each([
  ['in a response', 'upstream_failed', [created]],
  ['between responses', 'completed', [reported]],
])('a provider that breaks off %s: %s', async (_when, outcome, events) => {
  const { client, request, log } = await openSession()
  await request(...events)
  client.send(JSON.stringify({ type: 'session.update', events: [] }))
  await once(client, 'close')
  expect(await log()).toMatchObject({ outcome })
})
