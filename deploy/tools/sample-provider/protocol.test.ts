import { expect, test } from 'vitest'
import { z } from 'zod'
import { startProvider } from './test-provider.ts'

const json = { 'content-type': 'application/json' }

const errorOf = async (answer: Response) => {
  const { error } = z.object({ error: z.looseObject({}) }).parse(await answer.json())
  return { status: answer.status, ...error }
}

test('checks keys as OpenAI does', async () => {
  const { origin } = await startProvider()
  const models = (authorization?: string) =>
    fetch(`${origin}/v1/models`, { headers: authorization ? { authorization } : {} })
  const missing = await models()
  expect(missing.status).toBe(401)
  expect(await missing.json()).toMatchObject({
    error: {
      message: expect.stringContaining("You didn't provide an API key"),
      type: 'invalid_request_error',
      code: null,
    },
  })
  const wrong = await models('Bearer sk-bad-0123456789abcdef')
  expect(wrong.status).toBe(401)
  expect(await wrong.json()).toEqual({
    error: {
      message:
        'Incorrect API key provided: sk-bad-0***********cdef. You can find your API key at https://platform.openai.com/account/api-keys.',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    },
  })
  expect((await models('Bearer sk-any')).status).toBe(200)
})

test('accepts only the keys it was given, with controls', async () => {
  const { chat } = await startProvider({ apiKeys: ['sk-one'] })
  expect((await chat({ authorization: 'Bearer sk-one' })).status).toBe(200)
  expect((await chat({ authorization: 'Bearer sk-one.status=429' })).status).toBe(429)
  expect((await chat({ authorization: 'Bearer sk-two' })).status).toBe(401)
})

test('says what is wrong with a request', async () => {
  const { origin, chat } = await startProvider()
  expect(await errorOf(await chat({}, { model: undefined }))).toMatchObject({
    status: 400,
    message: 'you must provide a model parameter',
  })
  expect(await errorOf(await chat({}, { messages: undefined }))).toMatchObject({
    status: 400,
    param: 'messages',
    code: 'missing_required_parameter',
  })
  expect(await errorOf(await chat({}, { n: 0 }))).toMatchObject({ status: 400, param: 'n', code: 'invalid_value' })
  expect(await errorOf(await chat({ 'content-type': 'text/plain' }))).toMatchObject({
    status: 400,
    code: 'unsupported_content_type',
  })
  const headers = { ...json, authorization: 'Bearer sk-test' }
  const post = (path: string, body: string) => fetch(origin + path, { method: 'POST', headers, body })
  expect(await errorOf(await post('/v1/chat/completions', '{"model":'))).toMatchObject({
    status: 400,
    message: expect.stringContaining('We could not parse the JSON body'),
  })
  expect(await errorOf(await post('/v1/nothing?a=1', '{}'))).toEqual({
    status: 404,
    message: 'Invalid URL (POST /v1/nothing)',
    type: 'invalid_request_error',
    param: null,
    code: null,
  })
})

test('names every answer and tells the limits', async () => {
  const { chat } = await startProvider()
  const answers = [await chat(), await chat({}, { stream: true }), await chat({ authorization: 'none' })]
  const ids = answers.map(({ headers }) => {
    for (const name of ['openai-processing-ms', 'openai-version', 'x-ratelimit-remaining-requests']) {
      expect(headers.get(name)).toBeTruthy()
    }
    return headers.get('x-request-id')
  })
  expect(new Set(ids).size).toBe(3)
  expect(ids[0]).toMatch(/^req_[0-9a-f]{32}$/)
  expect(answers[1]?.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
})

test('keeps a bounded record of what came in', async () => {
  const { provider, chat } = await startProvider({ recordLimit: 10 })
  for (let index = 0; index < 12; index += 1) await (await chat({ 'x-number': String(index) })).text()
  expect(provider.received).toHaveLength(10)
  expect(provider.received.at(-1)).toMatchObject({
    method: 'POST',
    url: '/v1/chat/completions',
    key: 'sk-test',
    headers: { 'x-number': '11' },
    bodyBytes: 70,
    status: 200,
    aborted: false,
  })
  expect(provider.received.at(-1)?.answeredAt).toBeInstanceOf(Date)
})
