import { expect, test } from 'vitest'
import type { SecureTokenChanges } from '#store/postgres/credentials/secure-tokens.ts'
import { atOnce, type Gateway, useTestBench } from './gateway.fixture.ts'
import { jsonResponse, okHead } from './raw-upstream.fixture.ts'

const bench = await useTestBench()
const gateways = [await bench.startGateway(), await bench.startGateway()]

const job = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  background: true,
  model: 'gpt-4o',
  usage: { input_tokens: 900, output_tokens: 100, total_tokens: 1_000 },
}

test('the usage of a job counts once, however often and over whichever proxy it is read', async () => {
  const { account } = await bench.createAccountWithUpstream((socket) => socket.write(jsonResponse(JSON.stringify(job))))
  const polls = await atOnce(6, (nth) => account.fetch(gateways[nth % 2]!, '/responses/resp_1'))
  expect(await Promise.all(polls.map((poll) => poll.json()))).toEqual(polls.map(() => job))
  const events = await bench.events.ofAccount(account.accountId, 6)
  const counted = events.filter(({ promptTokens }) => promptTokens !== null)
  expect(counted).toMatchObject([{ promptTokens: 900, completionTokens: 100, costNanoUsd: 900 * 2_500 + 100 * 10_000 }])
  expect(events.map(({ costNanoUsd }) => costNanoUsd).filter((cost) => cost === 0)).toHaveLength(5)
})

test('a job has the price of the window that its request named, over whichever proxy it is read', async () => {
  const { account } = await bench.createAccountWithUpstream((socket, _nth, head) =>
    socket.write(
      jsonResponse(JSON.stringify(head.startsWith('POST') ? { ...job, status: 'queued', usage: null } : job)),
    ),
  )
  const background_options = { continuation_id: 'night', completion_window: '8h' }
  const body = { model: 'gpt-4o', input: 'Hello', background: true, background_options }
  const made = await account.fetch(gateways[0]!, '/responses', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  await made.text()
  const read = await account.fetch(gateways[1]!, '/responses/resp_1')
  await read.text()
  const costNanoUsd = (900 * 2_500 + 100 * 10_000) * 0.6
  expect(await bench.events.of(read)).toMatchObject({ promptTokens: 900, costNanoUsd, costSource: 'exact' })
})

test('a request that reads a job cannot lower its price', async () => {
  const { account } = await bench.createAccountWithUpstream((socket) => socket.write(jsonResponse(JSON.stringify(job))))
  const cancelled = await account.fetch(gateways[0]!, '/responses/resp_1/cancel', {
    method: 'POST',
    body: JSON.stringify({ background: true, background_options: { completion_window: '8h' } }),
    headers: { 'content-type': 'application/json' },
  })
  await cancelled.text()
  expect(await bench.events.of(cancelled)).toMatchObject({ costNanoUsd: 900 * 2_500 + 100 * 10_000 })
})

const eventsOf = (...all: (object & { type: string })[]) =>
  all.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join('')
const created = { type: 'response.created', response: { ...job, status: 'in_progress', usage: null } }
const delta = { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Hi' }
const completed = { type: 'response.completed', response: job }
const streamHead = okHead('content-type: text/event-stream', 'connection: close')
const resume = '?stream=true&starting_after=1'

/** Begins a job as a stream, and leaves it. @returns its account and log */
async function leaveJob(token: SecureTokenChanges = {}) {
  const { account } = await bench.createAccountWithUpstream(
    (socket, _nth, head) => {
      if (head.startsWith('POST')) socket.write(streamHead + eventsOf(created, delta))
      else if (head.includes(resume)) socket.end(streamHead + eventsOf(delta, completed))
      else socket.write(jsonResponse(JSON.stringify(job)))
    },
    { token },
  )
  const leaving = new AbortController()
  const body = { model: 'gpt-4o', input: 'Hello', background: true, stream: true, max_output_tokens: 1_000 }
  const left = await account.fetch(gateways[0]!, '/responses', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    signal: leaving.signal,
  })
  await left.body!.getReader().read()
  leaving.abort()
  return { account, event: await bench.events.of(left) }
}

test.each([
  ['resumed, then polled', [resume, '']],
  ['polled, then resumed', ['', resume]],
])('a job whose stream is left counts once: %s', async (_how, reads) => {
  const { account, event } = await leaveJob()
  expect(event).toMatchObject({ outcome: 'client_aborted', costNanoUsd: null, costSource: 'unknown' })
  const costs = []
  for (const query of reads) {
    const read = await account.fetch(gateways[1]!, `/responses/resp_1${query}`)
    await read.text()
    const { costNanoUsd, costSource, model } = await bench.events.of(read)
    costs.push([costNanoUsd, costSource, model])
  }
  expect(costs).toEqual([
    [900 * 2_500 + 100 * 10_000, 'exact', 'gpt-4o'],
    [0, 'exact', 'gpt-4o'],
  ])
})

test('a job whose stream is left takes all that it may cost out of the budget', async () => {
  const { account } = await leaveJob({ dailyBudgetNanoUsd: 1_000_000_000 })
  await expect.poll(async () => (await bench.spendingOf(account))?.spentNanoUsd).toBeGreaterThan(1_000 * 10_000)
})

test('the usage of a batch counts once it has ended, once over proxies and their restarts', async () => {
  const batch = { id: 'batch_1', object: 'batch', status: 'in_progress', model: 'gpt-4o', usage: job.usage }
  let status = batch.status
  const { account } = await bench.createAccountWithUpstream((socket) =>
    socket.write(jsonResponse(JSON.stringify({ ...batch, status }))),
  )
  const poll = async (gateway: Gateway) => bench.events.of(await account.fetch(gateway, '/batches/batch_1'))
  const early = [await poll(gateways[0]!), await poll(gateways[1]!)]
  status = 'completed'
  const ended = await Promise.all(await atOnce(6, (nth) => poll(gateways[nth % 2]!)))
  const restarted = await bench.startGateway()
  const events = [...early, ...ended, await poll(restarted)]
  const halfPrice = (900 * 2_500 + 100 * 10_000) / 2
  const counted = events.filter(({ promptTokens }) => promptTokens !== null)
  expect(counted).toMatchObject([{ promptTokens: 900, completionTokens: 100, costNanoUsd: halfPrice }])
  expect(early).toMatchObject([{ costNanoUsd: 0 }, { costNanoUsd: 0 }])
  expect(events.filter(({ costNanoUsd }) => costNanoUsd === 0)).toHaveLength(8)
})

test('a response that never came has no known cost', async () => {
  const { account } = await bench.createAccountWithUpstream((socket) => socket.destroy())
  const response = await account.chat(gateways[0]!)
  expect(response.status).toBe(502)
  expect(response.headers.has('x-sallyport-cost-usd')).toBe(false)
  expect(await bench.events.of(response)).toMatchObject({
    costNanoUsd: null,
    costSource: 'unknown',
    promptTokens: null,
  })
})

test.each([
  ['GET', '/models'],
  ['POST', '/moderations'],
])('a response that never came to a %s of %s, which costs nothing, has no cost', async (method, path) => {
  const { account } = await bench.createAccountWithUpstream((socket) => socket.destroy())
  const response = await account.fetch(gateways[0]!, path, { method })
  expect(response.status).toBe(502)
  expect(await bench.events.of(response)).toMatchObject({ costNanoUsd: 0, costSource: 'exact' })
})
