import { expect, test } from 'vitest'
import { atOnce, type Gateway, useTestBench } from './gateway.fixture.ts'
import { jsonResponse } from './raw-upstream.fixture.ts'

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
