import { expect, test } from 'vitest'
import { atOnce, useTestBench } from './gateway.fixture.ts'
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
