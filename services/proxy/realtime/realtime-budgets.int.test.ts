import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { listenLocally } from '#tools/process/listen.ts'
import { createTokenSpendingStore } from '#store/redis/token-spending.ts'
import { errorOf, useTestBench } from '../test/gateway.fixture.ts'
import type { TestAccount } from '../test/test-account.fixture.ts'
import { rejectionOf } from './provider.fixture.ts'

const usage = { input_tokens: 100, output_tokens: 100, total_tokens: 200 }
const ended = JSON.stringify({ type: 'response.done', response: { status: 'completed', usage } })
/** 4,000 characters, and spoken ones. */
const deltas = [
  ...Array.from({ length: 10 }, () => ({ type: 'response.output_text.delta' })),
  { type: 'response.output_audio_transcript.delta' },
  { type: 'response.output_audio.delta' },
]
const received: string[] = []
const provider = createServer()
const sockets = new WebSocketServer({ server: provider })
sockets.on('connection', (peer, { url }) => {
  if (url?.endsWith('/realtime')) {
    peer.send('{"type":"session.created",', { fin: false })
    peer.ping()
    // The client has the beginning by then.
    peer.once('pong', () => peer.send('"session":{"model":"a-model-without-a-price"}}', { fin: true }))
  }
  peer.on('message', (data) => {
    received.push(String(data))
    if (String(data).includes('unanswered')) return
    if (!String(data).includes('long')) return peer.send(ended)
    peer.send(JSON.stringify({ type: 'response.created', response: { status: 'in_progress', usage: null } }))
    for (const delta of deltas) peer.send(JSON.stringify({ ...delta, delta: 'x'.repeat(400) }))
  })
})
const baseUrl = `http://127.0.0.1:${await listenLocally(provider)}`
afterAll(() => {
  sockets.close()
  provider.closeAllConnections()
  provider.close()
})
const bench = await useTestBench()
const gateway = await bench.startGateway()

const dailyBudgetNanoUsd = 100_000_000
const createAccount = (token: object = { dailyBudgetNanoUsd }) =>
  bench.createTestAccount({ token, config: { baseUrl } })
const connect = (path: string, { headers }: TestAccount) =>
  new WebSocket(`${gateway.baseURL.replace('http', 'ws')}${path}`, { headers })

test('row 55: a session ends with an error event once the budget is used up', async () => {
  const account = await createAccount()
  const client = connect('/realtime?model=gpt-realtime', account)
  await once(client, 'open')
  const messages: string[] = []
  client.on('message', (data) => {
    messages.push(String(data))
    client.send('{"type":"response.create"}')
  })
  client.send('{"type":"response.create"}')
  const [code, reason] = (await once(client, 'close')) as [number, Buffer]
  expect([code, String(reason)]).toEqual([1008, 'budget_exceeded'])
  expect(JSON.parse(messages.at(-1)!)).toMatchObject({ type: 'error', error: { code: 'budget_exceeded' } })
  expect(messages.length).toBeGreaterThan(3)
  const { accountId, token } = account
  const spending = createTokenSpendingStore(bench.state)
  const reserved = async () => (await spending.read(accountId, [token.id])).get(token.id)?.day.reservedNanoUsd
  // The session ends once its client has disconnected.
  await expect.poll(reserved).toBe(0)
})

test('row 55: a session ends with an error event once the tokens of a minute are used up, whenever it began', async () => {
  const account = await createAccount({ tokensPerMinute: 1_000 })
  const key = `limit:{${account.accountId}}:${account.token.id}:tokens`
  const client = connect('/realtime?model=gpt-realtime', account)
  await once(client, 'open')
  expect(await bench.state.get(key)).toBe('1000')
  let messages = 0
  client.on('message', () => (messages += 1) <= 5 && client.send('{"type":"response.create"}'))
  client.send('{"type":"response.create"}')
  const [code, reason] = (await once(client, 'close')) as [number, Buffer]
  // Five responses of 200 tokens, the one that exceeds the limit, and the error.
  expect([code, String(reason), messages]).toEqual([1008, 'token_tokens_limited', 7])
  expect(await errorOf(await account.post(gateway, '/responses', '{"model":"gpt-4o"}'))).toEqual([
    429,
    'token_tokens_limited',
  ])
})

test.each([
  ['waits for the first', dailyBudgetNanoUsd, 1],
  ['is sent at once if the budget covers both', 100 * dailyBudgetNanoUsd, 2],
])('row 55: a second response at once %s', async (_what, budget, sent) => {
  const client = connect('/realtime?model=gpt-realtime', await createAccount({ dailyBudgetNanoUsd: budget }))
  await once(client, 'open')
  let messages = 0
  client.on('message', () => (messages += 1))
  const before = received.length
  const requests = ['long', 'long too'].map((id) => JSON.stringify({ type: 'response.create', event_id: id }))
  for (const request of requests) client.send(request)
  await expect.poll(() => messages).toBe(sent * (1 + deltas.length))
  expect(received.slice(before)).toEqual(requests.slice(0, sent))
  client.terminate()
})

const tooLongToKeep = 'x'.repeat(5_000_000)

test('row 55: a long message of audio requests no response', async () => {
  const client = connect('/realtime?model=gpt-realtime', await createAccount())
  await once(client, 'open')
  client.send(JSON.stringify({ type: 'input_audio_buffer.append', event_id: 'unanswered', audio: tooLongToKeep }))
  client.send('{"type":"response.create"}')
  expect(String((await once(client, 'message'))[0])).toBe(ended)
  client.terminate()
})

test.each(['"type":', String.raw`"type":"session.update","\u0074ype":`])(
  'row 55: a second response at once waits for the first, however long its request is: %s',
  async (name) => {
    const client = connect('/realtime?model=gpt-realtime', await createAccount())
    await once(client, 'open')
    let messages = 0
    client.on('message', () => (messages += 1))
    const before = received.length
    const request = `{"instructions":"${tooLongToKeep}long",${name}"response.create"}`
    for (let nth = 0; nth < 2; nth += 1) client.send(request)
    await expect.poll(() => messages).toBe(1 + deltas.length)
    expect(received.slice(before)).toEqual([request])
    client.terminate()
  },
)

test('row 55: a response that waited for another one is sent', async () => {
  const client = connect('/realtime?model=gpt-realtime', await createAccount())
  await once(client, 'open')
  let messages = 0
  client.on('message', () => (messages += 1))
  for (const id of ['a', 'b', 'c']) client.send(JSON.stringify({ type: 'response.create', event_id: id }))
  await expect.poll(() => messages).toBe(3)
  client.terminate()
})

test.each([
  // The prompt is a token per four bytes of what the client sent, or what a session has usually.
  ['/responses', 'gpt-4o', 2.5, 10, 10, 23],
  ['/realtime', 'gpt-realtime', 4, 16, 64, 4_096],
])('row 55: a response that the client of %s leaves costs what its text has', async (path, model, ...terms) => {
  const [promptUsd, textUsd, audioUsd, promptTokens] = terms
  const account = await createAccount()
  const client = connect(`${path}?model=${model}`, account)
  await once(client, 'open')
  let messages = 0
  client.on('message', () => (messages += 1) > deltas.length && client.terminate())
  client.send(JSON.stringify({ type: 'response.create', input: 'A long answer, please, that I shall not wait for.' }))
  const [event] = await bench.events.ofAccount(account.accountId, 1)
  const audioTokens = Math.round((400 / 15) * 20)
  const completionTokens = 11 * 100 + audioTokens
  const costNanoUsd = 1_000 * (promptTokens * promptUsd + 1_100 * textUsd + audioTokens * audioUsd)
  expect(event).toMatchObject({ costSource: 'estimated', promptTokens, completionTokens, costNanoUsd })
  expect(event?.responses).toMatchObject([{ status: 'unfinished' }])
  const { accountId, token } = account
  const spending = createTokenSpendingStore(bench.state)
  const spent = async () => (await spending.read(accountId, [token.id])).get(token.id)?.day.spentNanoUsd
  await expect.poll(spent).toBe(costNanoUsd)
})

test.each([
  ['{"type":"response.create","event_id":"unanswered"}', 4_096],
  [String.raw`{"type":"response\u002ecreate","event_id":"unanswered"}`, 4_096],
  ['{"type":"response.create","type":"unanswered"}', 4_096],
  ['{"type":"session.update","event_id":"unanswered"}', null],
])(
  'row 55: the prompt of %s costs, though its client leaves before a response begins',
  async (message, promptTokens) => {
    const account = await createAccount()
    const client = connect('/realtime?model=gpt-realtime', account)
    await once(client, 'open')
    const before = received.length
    client.send(message)
    await expect.poll(() => received.slice(before)).toEqual([message])
    client.terminate()
    const [event] = await bench.events.ofAccount(account.accountId, 1)
    const costNanoUsd = promptTokens && promptTokens * 4_000
    expect(event).toMatchObject({ costNanoUsd, promptTokens, completionTokens: promptTokens && 0 })
  },
)

test.each(['/realtime?model=a-model-without-a-price', '/speech?model=gpt-4o', '/speech'])(
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
  const [code, reason] = (await once(client, 'close')) as [number, Buffer]
  expect([code, String(reason), messages]).toEqual([1008, 'model_not_priced', ['session.created', 'error']])
})

test.each(['{"type":"response.create","model":"a-model-without-a-price"}', '{"type":"response.create","prompt":{}}'])(
  'row 55: the provider does not get a message without the name of a model with a price: %s',
  async (unpriced) => {
    const before = received.length
    const client = connect('/responses', await createAccount())
    await once(client, 'open')
    const priced = '{"type":"response.create","model":"gpt-4o"}'
    client.send(priced)
    await once(client, 'message')
    client.send(unpriced)
    const [code, reason] = (await once(client, 'close')) as [number, Buffer]
    expect([code, String(reason)]).toEqual([1008, 'model_not_priced'])
    expect(received.slice(before)).toEqual([priced])
  },
)
