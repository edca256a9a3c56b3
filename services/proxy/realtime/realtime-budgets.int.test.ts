import { once } from 'node:events'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { errorOf, useTestBench } from '../test/gateway.fixture.ts'
import type { TestAccount } from '../test/test-account.fixture.ts'
import { rejectionOf, startSocketProvider } from './provider.fixture.ts'

const usage = { input_tokens: 100, output_tokens: 100, total_tokens: 200 }
const ended = JSON.stringify({ type: 'response.done', response: { status: 'completed', usage } })
const failed = JSON.stringify({ type: 'response.done', response: { status: 'failed', usage: null } })
/** 4,000 characters, and spoken ones. */
const deltas = [
  ...Array.from({ length: 10 }, () => ({ type: 'response.output_text.delta' })),
  { type: 'response.output_audio_transcript.delta' },
  { type: 'response.output_audio.delta' },
]
const received: string[] = []
const baseUrl = await startSocketProvider((peer, { url }) => {
  if (url?.endsWith('/realtime')) {
    peer.send('{"type":"session.created",', { fin: false })
    peer.ping()
    // The client has the beginning by then.
    peer.once('pong', () => peer.send('"session":{"model":"a-model-without-a-price"}}', { fin: true }))
  }
  peer.on('message', (data) => {
    received.push(String(data))
    if (String(data).includes('unanswered')) return
    if (!String(data).includes('long')) {
      peer.send(ended)
      if (String(data).includes('failing')) peer.send(failed)
      return
    }
    peer.send(JSON.stringify({ type: 'response.created', response: { status: 'in_progress', usage: null } }))
    for (const delta of deltas) peer.send(JSON.stringify({ ...delta, delta: 'x'.repeat(400) }))
  })
})
// A budget begins anew at midnight.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const bench = await useTestBench()
const { spendingOf } = bench
const gateway = await bench.startGateway()

const dailyBudgetNanoUsd = 100_000_000
const createAccount = (token: object = { dailyBudgetNanoUsd }) =>
  bench.createTestAccount({ token, config: { baseUrl } })
const connect = (path: string, { headers }: TestAccount) =>
  new WebSocket(`${gateway.baseURL.replace('http', 'ws')}${path}`, { headers })

/** An open session, with what its client has received. */
async function openSession(token?: object, path = '/realtime?model=gpt-realtime') {
  const account = await createAccount(token)
  const client = connect(path, account)
  onTestFinished(() => client.terminate())
  const messages: string[] = []
  client.on('message', (data) => messages.push(String(data)))
  await once(client, 'open')
  return { account, client, messages }
}

async function endOf(client: WebSocket): Promise<[code: number, reason: string]> {
  const [code, reason] = (await once(client, 'close')) as [number, Buffer]
  return [code, String(reason)]
}

test('row 55: a session ends with an error event once the budget is used up', async () => {
  const { account, client, messages } = await openSession()
  client.on('message', () => client.send('{"type":"response.create"}'))
  client.send('{"type":"response.create"}')
  expect(await endOf(client)).toEqual([1008, 'budget_exceeded'])
  expect(JSON.parse(messages.at(-1)!)).toMatchObject({ type: 'error', error: { code: 'budget_exceeded' } })
  expect(messages.length).toBeGreaterThan(3)
  // The session ends once its client has disconnected.
  await expect.poll(() => spendingOf(account)).toMatchObject({ reservedNanoUsd: 0 })
})

test('row 55: a session ends with an error event once the tokens of a minute are used up, whenever it began', async () => {
  const { account, client, messages } = await openSession({ tokensPerMinute: 1_000 })
  expect(await bench.state.get(`limit:{${account.accountId}}:${account.token.id}:tokens`)).toBe('1000')
  client.on('message', () => messages.length <= 5 && client.send('{"type":"response.create"}'))
  client.send('{"type":"response.create"}')
  expect(await endOf(client)).toEqual([1008, 'token_tokens_limited'])
  // Five responses of 200 tokens, the one that exceeds the limit, and the error.
  expect(messages).toHaveLength(7)
  expect(await errorOf(await account.post(gateway, '/responses', '{"model":"gpt-4o"}'))).toEqual([
    429,
    'token_tokens_limited',
  ])
})

test.each([
  ['waits for the first', dailyBudgetNanoUsd, 1],
  ['is sent at once if the budget covers both', 100 * dailyBudgetNanoUsd, 2],
])('row 55: a second response at once %s', async (_what, budget, sent) => {
  const { client, messages } = await openSession({ dailyBudgetNanoUsd: budget })
  const before = received.length
  const requests = ['long', 'long too'].map((id) => JSON.stringify({ type: 'response.create', event_id: id }))
  for (const request of requests) client.send(request)
  await expect.poll(() => messages.length).toBe(sent * (1 + deltas.length))
  expect(received.slice(before)).toEqual(requests.slice(0, sent))
})

test('row 55: a session requests no response while it waits for money that another one has reserved', async () => {
  // The first session reserves the likely cost of a response, which is that of 229 in this test; the second one, the rest.
  const { account, client, messages } = await openSession({ dailyBudgetNanoUsd: 5 * dailyBudgetNanoUsd })
  const other = connect('/realtime?model=gpt-realtime', account)
  onTestFinished(() => other.terminate())
  await once(other, 'open')
  // A response without a cost ends while the one before it still waits for that money.
  const request = '{"type":"response.create","event_id":"failing"}'
  client.on('message', (data) => String(data) === ended && messages.length < 479 && client.send(request))
  client.send(request)
  await expect.poll(() => messages.length).toBe(460)
  other.send('{"type":"response.create"}')
  await once(other, 'message')
  expect(messages).toHaveLength(460)
  other.terminate()
  await expect.poll(() => messages.length).toBe(480)
})

const tooLongToKeep = 'x'.repeat(5_000_000)

test('row 55: a long message of audio requests no response', async () => {
  const { client, messages } = await openSession()
  client.send(JSON.stringify({ type: 'input_audio_buffer.append', event_id: 'unanswered', audio: tooLongToKeep }))
  client.send('{"type":"response.create"}')
  await expect.poll(() => messages).toEqual([ended])
})

test.each(['"type":', String.raw`"type":"session.update","\u0074ype":`])(
  'row 55: a second response at once waits for the first, however long its request is: %s',
  async (name) => {
    const { client, messages } = await openSession()
    const before = received.length
    const request = `{"instructions":"${tooLongToKeep}long",${name}"response.create"}`
    for (let nth = 0; nth < 2; nth += 1) client.send(request)
    await expect.poll(() => messages.length).toBe(1 + deltas.length)
    expect(received.slice(before)).toEqual([request])
  },
)

test('row 55: a response that waited for another one is sent', async () => {
  const { client, messages } = await openSession()
  for (const id of ['a', 'b', 'c']) client.send(JSON.stringify({ type: 'response.create', event_id: id }))
  await expect.poll(() => messages.length).toBe(3)
})

test.each([
  // The prompt is a token per four bytes of what the client sent, or what a session has usually.
  ['/responses', 'gpt-4o', 2.5, 10, 10, 23],
  ['/realtime', 'gpt-realtime', 4, 16, 64, 4_096],
])('row 55: a response that the client of %s leaves costs what its text has', async (path, model, ...terms) => {
  const [promptUsd, textUsd, audioUsd, promptTokens] = terms
  const { account, client, messages } = await openSession(undefined, `${path}?model=${model}`)
  client.on('message', () => messages.length > deltas.length && client.terminate())
  client.send(JSON.stringify({ type: 'response.create', input: 'A long answer, please, that I shall not wait for.' }))
  const [event] = await bench.events.ofAccount(account.accountId, 1)
  const audioTokens = Math.round((400 / 15) * 20)
  const completionTokens = 11 * 100 + audioTokens
  const costNanoUsd = 1_000 * (promptTokens * promptUsd + 1_100 * textUsd + audioTokens * audioUsd)
  expect(event).toMatchObject({ costSource: 'estimated', promptTokens, completionTokens, costNanoUsd })
  expect(event?.responses).toMatchObject([{ status: 'unfinished' }])
  await expect.poll(() => spendingOf(account)).toMatchObject({ spentNanoUsd: costNanoUsd })
})

test.each([
  ['{"type":"response.create","event_id":"unanswered"}', 4_096],
  [String.raw`{"type":"response\u002ecreate","event_id":"unanswered"}`, 4_096],
  ['{"type":"response.create","type":"unanswered"}', 4_096],
  ['{"type":"response.create","event_id":"unanswered","model":"gpt-4o"}', 4_096],
  ['{"type":"session.update","event_id":"unanswered"}', null],
  // A token per four bytes of the message and its frame.
  ['{"type":"response.create","event_id":"unanswered","model":"gpt-4o"}', 19, '/responses', 2_500],
])(
  'row 55: the prompt of %s costs, though its client leaves before a response begins',
  async (message, promptTokens, path = '/realtime?model=gpt-realtime', price = 4_000) => {
    const { account, client } = await openSession(undefined, path)
    const before = received.length
    client.send(message)
    await expect.poll(() => received.slice(before)).toEqual([message])
    client.terminate()
    const [event] = await bench.events.ofAccount(account.accountId, 1)
    const costNanoUsd = promptTokens && promptTokens * price
    expect(event).toMatchObject({ costNanoUsd, promptTokens, completionTokens: promptTokens && 0 })
  },
)

test('row 55: a handshake that the provider breaks off takes nothing out of a budget', async () => {
  const { account } = await bench.createAccountWithUpstream((socket) => socket.end(), { token: { dailyBudgetNanoUsd } })
  expect((await rejectionOf(connect('/realtime?model=gpt-realtime', account))).statusCode).toBe(502)
  await expect.poll(() => spendingOf(account)).toEqual({ spentNanoUsd: 0, reservedNanoUsd: 0 })
})

test('row 55: a client that leaves during the handshake frees what it reserved', async () => {
  const { account, upstream } = await bench.createAccountWithUpstream(() => undefined, {
    token: { dailyBudgetNanoUsd },
  })
  const client = connect('/realtime?model=gpt-realtime', account).on('error', () => undefined)
  await expect.poll(() => upstream.heads.length).toBe(1)
  client.terminate()
  await expect.poll(() => spendingOf(account)).toEqual({ spentNanoUsd: 0, reservedNanoUsd: 0 })
})

const unmetered = [
  '/realtime?model=a-model-without-a-price',
  '/speech?model=gpt-4o',
  '/speech',
  '/live/sessions/s_1/attach',
]
test.each(unmetered)(
  'row 55: a session of a model without a price, or without usage, is rejected: %s',
  async (path) => {
    const client = connect(path, await createAccount())
    expect((await rejectionOf(client)).statusCode).toBe(403)
    client.terminate()
  },
)

test('row 55: a session ends before its first response if the provider names a model without a price', async () => {
  const client = connect('/realtime', await createAccount())
  const messages: string[] = []
  client.on('message', (data) => messages.push(JSON.parse(String(data)).type))
  expect(await endOf(client)).toEqual([1008, 'model_not_priced'])
  expect(messages).toEqual(['session.created', 'error'])
})

test.each(['{"type":"response.create","model":"a-model-without-a-price"}', '{"type":"response.create","prompt":{}}'])(
  'row 55: the provider does not get a message without the name of a model with a price: %s',
  async (unpriced) => {
    const before = received.length
    const { client } = await openSession(undefined, '/responses')
    const priced = '{"type":"response.create","model":"gpt-4o"}'
    client.send(priced)
    await once(client, 'message')
    client.send(unpriced)
    expect(await endOf(client)).toEqual([1008, 'model_not_priced'])
    expect(received.slice(before)).toEqual([priced])
  },
)
