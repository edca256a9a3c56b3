import { afterAll, beforeAll, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'

let bench: TestBench
let gateway: Gateway
beforeAll(async () => {
  bench = await openTestBench()
  gateway = await bench.startGateway()
})
afterAll(() => bench.stop())

/** What SDKs send of a picture. */
const messagesWithImage = (bytes: number) => {
  const url = `data:image/png;base64,${'iVBORw0KGgo='.repeat(Math.ceil(bytes / 12))}`
  const content = [
    { type: 'text', text: 'What is "this"?' },
    { type: 'image_url', image_url: { url } },
  ]
  return [{ role: 'user', content }]
}

test('of a request with an image of megabytes model, tokens and cost are known', async () => {
  const account = await bench.createTestAccount()
  const answer = await account.chat(gateway, { messages: messagesWithImage(3 * mib), model: 'gpt-4o' })
  expect(answer.status).toBe(200)
  expect(Number(answer.headers.get('x-sallyport-cost-usd'))).toBeGreaterThan(0)
  const event = await bench.events.of(answer.headers.get('x-request-id'))
  expect(event).toMatchObject({ model: 'gpt-4o', costSource: 'exact' })
})

test('its stream is asked for usage, and the client sees no more than it asked for', async () => {
  const account = await bench.createTestAccount()
  const answer = await account.chat(gateway, { messages: messagesWithImage(3 * mib), stream: true })
  expect(await answer.text()).not.toContain('"usage"')
  const event = await bench.events.of(answer.headers.get('x-request-id'))
  expect(event).toMatchObject({ model: 'gpt-4o-mini', streamed: true, costSource: 'exact' })
})

test('a token that is bound to models may send one, and none of another model', async () => {
  const account = await bench.createTestAccount({ token: { models: ['gpt-4o-mini'] } })
  const messages = messagesWithImage(3 * mib)
  expect((await account.chat(gateway, { messages })).status).toBe(200)
  expect((await account.chat(gateway, { messages, model: 'gpt-4o' })).status).toBe(403)
  const body = `{"model":"gpt-4o-mini","messages":${JSON.stringify(messages)},"MODEL":"gpt-4o"}`
  expect((await account.chat(gateway, {}, { body })).status).toBe(400)
})

test('what is too large to be kept names no model: it may say another one at its end', async () => {
  const bound = await bench.createTestAccount({ token: { models: ['gpt-4o-mini'] } })
  const messages = messagesWithImage(11 * mib)
  expect((await bound.chat(gateway, { messages })).status).toBe(403)

  const account = await bench.createTestAccount()
  const answer = await account.chat(gateway, { messages })
  expect(answer.status).toBe(200)
  expect(await bench.events.of(answer.headers.get('x-request-id'))).toMatchObject({ model: null })
})
