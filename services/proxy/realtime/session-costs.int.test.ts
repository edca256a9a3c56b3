import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { mib, minute, second } from '#core/units.ts'
import { spendingKeys } from '#store/redis/token-spending.ts'
import { useTestBench } from '../test/gateway.fixture.ts'
import type { TestAccount } from '../test/test-account.fixture.ts'
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

async function openSession(token: object = {}, resource = '/realtime?model=gpt-realtime', opened?: TestAccount) {
  const account = opened ?? (await bench.createTestAccount({ token, config: { baseUrl } }))
  const path = gateway.baseURL.replace('http', 'ws') + resource
  const client = new WebSocket(path, { headers: account.headers })
  onTestFinished(() => client.terminate())
  let messages = 0
  client.on('message', () => (messages += 1))
  await once(client, 'open')
  /** Waits for the events with which the provider is to respond. */
  async function send(message: object, ...events: object[]): Promise<void> {
    const awaited = messages + events.length
    client.send(JSON.stringify({ ...message, events }))
    await expect.poll(() => messages).toBe(awaited)
  }
  return {
    account,
    client,
    send,
    request: (...events: object[]) => send({ type: 'response.create' }, ...events),
    async log() {
      const [event] = await bench.events.ofAccount(account.accountId, 1)
      return event
    },
  }
}

/** What open requests of a token have used of their reservations, as it would be spent if their proxy died now. */
async function usedOf({ accountId, token: { id } }: TestAccount): Promise<number> {
  const states = await bench.state.hvals(spendingKeys(accountId, id, Date.now()).reservations)
  return states.reduce((sum, state) => sum + Number(state.split(' ')[1]), 0)
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

const started = (model = 'gpt-live-1', backend = 'gpt-4o') => ({
  type: 'session.started',
  session: { model, delegation: { type: 'responses', responses: { model: backend } } },
})
const after = (seconds: number, type = 'session.usage.updated') => ({ type, usage: { seconds } })
const ofBackend = (event: object) => ({ type: 'response.event', event })
const decided = (model = 'gpt-4o') => ({
  type: 'decision.event',
  event: { type: 'decision.completed', decision: { model, answers: [], usage } },
})
const backendEnded = { type: 'response.completed', response: { status: 'completed', model: 'gpt-4o', usage } }
const backendNanoUsd = 100 * 2_500 + 100 * 10_000
const nanoUsdOf = (seconds: number) => Math.round((seconds * 50_000_000) / 60)

/** A session of GPT-Live that has started. Its time stands still, unless `pass` moves it on. */
async function startLive(token: object = {}, path = '/live/sessions', confirmation: object = started()) {
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const session = await openSession(token, path)
  const hear = (...events: object[]) => session.send({ type: 'session.input_audio.append' }, ...events)
  const pass = (seconds: number) => void (now += seconds * second)
  await session.send({ type: 'session.start', session: { model: 'gpt-live-1' } }, confirmation)
  return { ...session, hear, pass, closed: once(session.client, 'close') }
}

test.each([
  ['/live/sessions', 90.5, 'exact', [after(90.5, 'session.closed')]],
  ['/live/sessions?model=gpt-live-1', 90, 'estimated', [{ type: 'session.closed' }]],
  ['/live/sessions/live_1/fork', 90, 'estimated', []],
])('a session at %s costs by its duration of %d s, and what its backend took', async (path, seconds, source, last) => {
  const { account, client, hear, pass, log } = await startLive(limited, path)
  pass(20)
  await hear(after(30), ofBackend(created), ofBackend(backendEnded), after(60))
  pass(30)
  await hear(...last)
  client.close()
  const costNanoUsd = nanoUsdOf(seconds) + backendNanoUsd
  const tokens = { promptTokens: 100, completionTokens: 100 }
  expect(await log()).toMatchObject({ model: 'gpt-live-1', costNanoUsd, costSource: source, ...tokens })
  await expect.poll(() => spendingOf(account)).toEqual({ spentNanoUsd: costNanoUsd, reservedNanoUsd: 0 })
  const key = `limit:{${account.accountId}}:${account.token.id}:tokens`
  await expect.poll(() => bench.state.get(key)).toBe('200')
})

test.each([
  ['the reported duration', [after(30)], 0],
  ['a provider that does not report it', [], 30],
  ['the time since the last report', [after(20)], 10],
])('row 55: a live session ends once %s has used up the budget', async (_what, reports, silentSeconds) => {
  const { account, closed, hear, pass, log } = await startLive({ dailyBudgetNanoUsd: nanoUsdOf(24) })
  await hear({ type: 'session.output_audio.delta', delta: 'AAAA' }, ...reports)
  pass(silentSeconds)
  expect(String((await closed)[1])).toBe('budget_exceeded')
  const costNanoUsd = nanoUsdOf(30)
  expect(await log()).toMatchObject({ costNanoUsd, costSource: 'estimated', errorCode: 'budget_exceeded' })
  await expect.poll(() => spendingOf(account)).toEqual({ spentNanoUsd: costNanoUsd, reservedNanoUsd: 0 })
})

test('row 55: the time of a live session counts though the confirmation of its start has yet to be read', async () => {
  const { closed, pass, log } = await startLive({ dailyBudgetNanoUsd: nanoUsdOf(24) }, undefined, { type: 'info' })
  pass(30)
  expect(String((await closed)[1])).toBe('budget_exceeded')
  expect(await log()).toMatchObject({ model: 'gpt-live-1', costNanoUsd: nanoUsdOf(30) })
})

test('a long response of the backend costs what it took', async () => {
  const { client, hear, log } = await startLive(limited)
  const response = { output: 'x'.repeat(mib), ...backendEnded.response }
  await hear(ofBackend({ ...backendEnded, response }), after(90, 'session.closed'))
  client.close()
  expect(await log()).toMatchObject({ costNanoUsd: nanoUsdOf(90) + backendNanoUsd, costSource: 'exact' })
})

test('decisions cost what they took, and do not end the responses of the backend', async () => {
  const { account, client, hear, log } = await startLive(limited)
  await hear(ofBackend(created), decided(), decided(), after(90, 'session.closed'))
  client.close()
  const costNanoUsd = nanoUsdOf(90) + 2 * backendNanoUsd + 4_096 * 2_500
  expect(await log()).toMatchObject({ costNanoUsd, promptTokens: 200 + 4_096 })
  await expect.poll(() => spendingOf(account)).toEqual({ spentNanoUsd: costNanoUsd, reservedNanoUsd: 0 })
})

const unpriced = { model: 'a-model-without-a-price' }

test.each([
  ['a decision', decided('a-model-without-a-price')],
  ['a later backend', { ...started(undefined, 'a-model-without-a-price'), type: 'session.updated' }],
  ['a backend that decides', { type: 'session.updated', session: { delegation: { decisions: unpriced } } }],
])('row 55: a live session ends at %s without a price', async (_what, event) => {
  const { client, closed } = await startLive(limited)
  client.send(JSON.stringify({ type: 'session.input_audio.append', events: [event] }))
  expect(String((await closed)[1])).toBe('model_not_priced')
})

test('row 55: two live sessions exceed their budget by less than they cost between two looks at it', async () => {
  const budget = nanoUsdOf(60)
  const one = await startLive({ dailyBudgetNanoUsd: budget })
  const other = await openSession({}, '/live/sessions', one.account)
  await other.send({ type: 'session.start', session: { model: 'gpt-live-1' } }, started())
  const closed = [one.closed, once(other.client, 'close')]
  for (const seconds of [14, 28]) {
    one.pass(14)
    await expect.poll(() => usedOf(one.account)).toBe(2 * nanoUsdOf(seconds))
  }
  one.pass(3)
  await Promise.race(closed)
  // The first to look may have got what was left.
  one.pass(3)
  await Promise.all(closed)
  await expect.poll(() => spendingOf(one.account)).toMatchObject({ reservedNanoUsd: 0 })
  const { spentNanoUsd } = (await spendingOf(one.account)) ?? {}
  expect(spentNanoUsd).toBeGreaterThan(budget)
  expect(spentNanoUsd).toBeLessThanOrEqual(budget + 2 * nanoUsdOf(3))
})

test('row 55: what a live session has cost so far is spent even if its proxy dies', async () => {
  const { account, pass } = await startLive(limited)
  pass(600)
  await expect.poll(() => usedOf(account)).toBe(nanoUsdOf(600))
})

test.each([
  ['a model', started('a-model-without-a-price')],
  ['a model with a price for tokens only', started('gpt-4o')],
  ['a backend', started('gpt-live-1', 'a-model-without-a-price')],
])('row 55: a fork that turns out to be of %s without a price ends', async (_what, event) => {
  const { client } = await openSession(limited, '/live/sessions/live_1/fork')
  const closed = once(client, 'close')
  client.send(JSON.stringify({ type: 'session.start', session: {}, events: [event] }))
  expect(String((await closed)[1])).toBe('model_not_priced')
})

test.each([
  {},
  { session: {} },
  { session: { model: 'a-model-without-a-price' } },
  { session: { model: 'gpt-live-1', delegation: { responses: { model: 'a-model-without-a-price' } } } },
])('row 55: a live session does not start without models with a price: %j', async (settings) => {
  const { client, log } = await openSession(limited, '/live/sessions')
  const closed = once(client, 'close')
  client.send(JSON.stringify({ type: 'session.start', ...settings, events: [started()] }))
  expect(String((await closed)[1])).toBe('model_not_priced')
  expect(await log()).toMatchObject({ model: null, costNanoUsd: null })
})

test('a request to the backend that its client leaves costs its prompt', async () => {
  const { client, request, log } = await startLive(limited)
  await request(after(6))
  client.terminate()
  expect(await log()).toMatchObject({ costNanoUsd: nanoUsdOf(6) + 4_096 * 2_500, promptTokens: 4_096 })
})

test('a second connection to a live session does not count it again', async () => {
  const { client, request, log } = await openSession({}, '/live/sessions/live_1/attach')
  await request(started(), ofBackend(backendEnded), after(90, 'session.closed'))
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
