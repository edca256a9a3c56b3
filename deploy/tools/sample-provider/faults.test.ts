import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { readFaults } from './faults.ts'
import { startProvider } from './test-provider.ts'

test('controls are read from headers and from the key, the header first', () => {
  const faults = readFaults({ 'x-provider-status': '500', 'x-provider-gzip': '1' }, 'sk-a.status=429.retry-after=2')
  expect(faults).toMatchObject({ status: 500, retryAfter: '2', gzip: true, hang: false, delayMs: 0 })
})

test('an error status comes in the shape of OpenAI', async () => {
  const { chat } = await startProvider()
  const limited = await chat({ authorization: 'Bearer sk-a.status=429.retry-after=2' })
  expect(limited.status).toBe(429)
  expect(limited.headers.get('retry-after')).toBe('2')
  expect(await limited.json()).toMatchObject({ error: { type: 'requests', code: 'rate_limit_exceeded' } })
  const empty = await chat({ 'x-provider-status': '429', 'x-provider-error-code': 'insufficient_quota' })
  expect(await empty.json()).toMatchObject({ error: { type: 'insufficient_quota', code: 'insufficient_quota' } })
})

test('the first requests fail and then they succeed', async () => {
  const { chat, origin, provider } = await startProvider()
  const headers = { 'x-provider-fail-times': '2', 'x-provider-status': '500' }
  const statuses: number[] = []
  for (let index = 0; index < 3; index += 1) statuses.push((await chat(headers)).status)
  expect(statuses).toEqual([500, 500, 200])

  const client = new OpenAI({ apiKey: 'sk-retry.fail-times=1', baseURL: `${origin}/v1`, maxRetries: 1 })
  await client.models.list()
  expect(provider.received.slice(-2).map((record) => record.status)).toEqual([503, 200])
})

test('it waits before the first byte and between chunks', async () => {
  const { chat } = await startProvider()
  const started = performance.now()
  const response = await chat(
    { 'x-provider-delay-ms': '60', 'x-provider-chunk-delay-ms': '30', 'x-provider-chunks': '3' },
    { stream: true },
  )
  const headersAfter = performance.now() - started
  const text = await response.text()
  // Six events: role, three pieces, finish, [DONE]. Timers may fire a little early.
  expect(text.split('\n\n').filter(Boolean)).toHaveLength(6)
  expect(headersAfter).toBeGreaterThan(55)
  expect(performance.now() - started).toBeGreaterThan(55 + 5 * 25)
})

test('the connection is cut where that was requested', async () => {
  const { chat, provider } = await startProvider()
  await expect(chat({ 'x-provider-reset': 'before' })).rejects.toThrow('fetch failed')

  const headersOnly = await chat({ 'x-provider-reset': 'headers' })
  expect(headersOnly.status).toBe(200)
  await expect(headersOnly.text()).rejects.toThrow()

  const half = await chat({ 'x-provider-reset': 'stream' })
  await expect(half.text()).rejects.toThrow()

  const stream = await chat({ 'x-provider-reset': 'stream' }, { stream: true })
  let got = ''
  await expect(async () => {
    for await (const bytes of stream.body ?? []) got += Buffer.from(bytes).toString()
  }).rejects.toThrow()
  expect(got.split('\n\n').filter(Boolean)).toHaveLength(3)
  expect(provider.received.map(({ reset, aborted }) => ({ reset, aborted }))).toEqual(
    Array.from({ length: 4 }, () => ({ reset: true, aborted: false })),
  )
})

test.each([
  ['hangs', { 'x-provider-hang': '1' }],
  ['delays', { 'x-provider-delay-ms': '60000' }],
  ['streams slowly', { 'x-provider-chunk-delay-ms': '60000' }],
  ['streams faster than the client reads', { 'x-provider-bytes': String(2 ** 36) }],
])('it notices that the client left while it %s', async (_, headers) => {
  const { chat, provider } = await startProvider()
  const leave = new AbortController()
  chat(headers, { stream: true }, leave.signal).catch(() => undefined)
  await expect.poll(() => provider.received.length).toBe(1)
  leave.abort()
  await expect.poll(() => provider.received[0]?.aborted).toBe(true)
})

test('JSON, events and binaries are filled up to a size', async () => {
  const { chat, client, origin } = await startProvider()
  const bytes = 300_000
  const filled = await chat({ 'x-provider-bytes': String(bytes) })
  expect(filled.headers.get('content-length')).toBe(String(bytes))
  const text = await filled.text()
  expect(text).toHaveLength(bytes)
  expect(JSON.parse(text)).toMatchObject({ object: 'chat.completion' })

  const padded = new OpenAI({ apiKey: `sk-a.bytes=${bytes}`, baseURL: `${origin}/v1` })
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  const big = await padded.chat.completions.stream({ model: 'gpt-4o', messages }).finalChatCompletion()
  const small = await client.chat.completions.create({ model: 'gpt-4o', messages })
  expect(big.choices[0]?.message.content).toBe(small.choices[0]?.message.content)
  const speech = await padded.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hi' })
  expect((await speech.arrayBuffer()).byteLength).toBe(bytes)
})

test('JSON and streams are compressed', async () => {
  const { chat } = await startProvider()
  const plain = await (await chat()).text()
  const zipped = await chat({ 'x-provider-gzip': '1' })
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(await zipped.text()).toBe(plain)
  const stream = await chat({ 'x-provider-gzip': '1' }, { stream: true })
  expect(await stream.text()).toMatch(/data: \[DONE\]\n\n$/)
})
