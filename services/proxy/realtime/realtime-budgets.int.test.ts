import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { useTestBench } from '../test/gateway.fixture.ts'

const usage = { input_tokens: 100, output_tokens: 100, total_tokens: 200 }
const ended = JSON.stringify({ type: 'response.done', response: { status: 'completed', usage } })
const provider = createServer()
const sockets = new WebSocketServer({ server: provider })
sockets.on('connection', (peer) => peer.on('message', () => peer.send(ended)))
provider.listen(0, '127.0.0.1')
await once(provider, 'listening')
afterAll(() => {
  sockets.close()
  provider.closeAllConnections()
  provider.close()
})
const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
const bench = await useTestBench()
const gateway = await bench.startGateway()

async function connect(dailyBudgetNanoUsd: number, model: string): Promise<WebSocket> {
  const account = await bench.createTestAccount({ token: { dailyBudgetNanoUsd }, config: { baseUrl } })
  const address = `${gateway.baseURL.replace('http', 'ws')}/realtime?model=${model}`
  return new WebSocket(address, { headers: account.headers })
}

test('row 55: a session ends with an error event once the budget is used up', async () => {
  const client = await connect(100_000_000, 'gpt-realtime')
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
})

test('row 55: a session of a model without a price is rejected', async () => {
  const client = await connect(100_000_000, 'a-model-without-a-price')
  client.on('error', () => undefined)
  const [, response] = (await once(client, 'unexpected-response')) as [unknown, { statusCode: number }]
  expect(response.statusCode).toBe(403)
  client.terminate()
})
