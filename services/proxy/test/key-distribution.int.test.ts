import { request } from 'undici'
import { expect, test } from 'vitest'
import { useTestBench } from './gateway.fixture.ts'
import { jsonResponse, okHead, type Respond } from './raw-upstream.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()
const other = await bench.startGateway()

const keyOf = (head: string) => /authorization: Bearer (\S+)/i.exec(head)?.[1]
const keys = ['sk-first', 'sk-second']

/** An account with two keys, and the keys of the requests that its provider has received. */
async function accountWith(respond: Respond, distribution: 'primary-first' | 'spread') {
  const { account, upstream } = await bench.createAccountWithUpstream(respond, { keys, config: { distribution } })
  return { account, used: () => upstream.heads.map((head) => keys.indexOf(keyOf(head)!)) }
}

const limits = (left: number) => [`x-ratelimit-limit-requests: 100`, `x-ratelimit-remaining-requests: ${left}`]

test.concurrent('requests go to the key with most left of its limits, also through another proxy', async ({
  expect: expectHere,
}) => {
  const left = [40, 70]
  const { account, used } = await accountWith((socket, _nth, head) => {
    const index = keys.indexOf(keyOf(head)!)
    socket.write(jsonResponse('{}', ...limits((left[index]! -= 20))))
  }, 'spread')
  for (let sent = 0; sent < 4; sent += 1) await (await account.chat(gateway)).text()
  // After one request each, 20 and 50 are left; then the second key has more until it has 10.
  expect(used()).toEqual([0, 1, 1, 1])
  expect(await (await account.chat(gateway)).text()).toBe('{}')
  expect(used().at(-1)).toBe(0)
  // The first key has nothing left and the second 10; the other proxy learns this before the API.
  const states = async () =>
    (await bench.state.hvals(`key-states:{${account.accountId}}`)).map((each) => JSON.parse(each))
  const shared = async () => (await states()).map(({ requests }) => requests).toSorted()
  await expectHere.poll(shared).toEqual(['0', '10'])
  await (await account.chat(other)).text()
  expect(used().at(-1)).toBe(1)
})

test.concurrent('what a key has made is asked for with that key first, also through another proxy', async ({
  expect: expectHere,
}) => {
  let isFirstDown = true
  const { account, used } = await accountWith((socket, _nth, head) => {
    if (isFirstDown && keyOf(head) === keys[0]) {
      const error = '{"error":{"message":"slow down"}}'
      return socket.write(jsonResponse(error, 'retry-after-ms: 1').replace('200 OK', '429 No'))
    }
    socket.write(jsonResponse('{"id":"file-1","object":"file"}'))
  }, 'primary-first')
  await (await account.post(gateway, '/files', '{}')).text()
  expect(used()).toEqual([0, 1])
  isFirstDown = false
  await (await account.fetch(other, '/models')).text()
  await (await account.fetch(other, '/files/file-1')).text()
  await (await account.post(other, '/batches', '{"input_file_id":"file-1"}')).text()
  expect(used().slice(2)).toEqual([0, 1, 1])
  await account.removeKey(account.keyIds[1]!)
  // Proxies learn of a removed key a moment later.
  await expectHere
    .poll(async () => {
      await (await account.fetch(other, '/files/file-1')).text()
      return used().at(-1)
    })
    .toBe(0)
})

test.concurrent('the id of a streamed response is known before the stream ends', async () => {
  let isFirstDown = true
  const { account, used } = await accountWith((socket, _nth, head) => {
    if (isFirstDown && keyOf(head) === keys[0]) {
      return socket.write(jsonResponse('{}', 'retry-after-ms: 1').replace('200 OK', '429 No'))
    }
    if (!head.startsWith('POST')) return socket.write(jsonResponse('{}'))
    socket.write(okHead('content-type: text/event-stream'))
    socket.write('data: {"type":"response.created","response":{"id":"resp_1"}}\n\n')
  }, 'primary-first')
  const stream = await account.post(gateway, '/responses', '{"model":"gpt-4o","stream":true}')
  const reader = stream.body!.getReader()
  await reader.read()
  isFirstDown = false
  await (await account.fetch(gateway, '/responses/resp_1')).text()
  expect(used()).toEqual([0, 1, 1])
  await reader.cancel()
})

test.concurrent('row 71: a token that is limited to models uses what it made, and nothing else', async () => {
  const { account } = await bench.createAccountWithUpstream(
    (socket) => socket.write(jsonResponse('{"id":"resp_1","metadata":{"container_id":"cntr_1"}}')),
    { token: { models: ['gpt-4o', 'org/model'] } },
  )
  const stranger = await account.addToken({ models: ['gpt-4o'] })
  const statusOf = async (method: string, path: string, headers = {}, body?: string) => {
    const response = await account.fetch(other, path, { method, headers, body })
    await response.arrayBuffer()
    return response.status
  }
  await (await account.post(gateway, '/responses', '{"model":"gpt-4o"}')).text()
  expect(await statusOf('GET', '/responses/resp_1/input_items')).toBe(200)
  expect(await statusOf('POST', '/responses/resp_1/cancel')).toBe(200)
  expect(await statusOf('DELETE', '/responses/resp_1')).toBe(200)
  expect(await statusOf('POST', '/files', { 'content-type': 'multipart/form-data; boundary=b' }, '--b--')).toBe(200)
  expect(await statusOf('GET', '/models/org%2Fmodel')).toBe(200)
  expect(await statusOf('GET', '/../v1beta/models/gpt-4o')).toBe(200)

  const authorization = `Bearer ${stranger.secret}`
  const json = { 'content-type': 'application/json' }
  const named = '{"model":"gpt-4o"}'
  expect(await statusOf('POST', '/responses/resp_1/cancel', json, named)).toBe(200)
  expect(await statusOf('POST', '/responses/resp_1/cancel', json, '{"model":"o1"}')).toBe(403)
  expect(await statusOf('GET', '/responses/resp_1', { authorization })).toBe(403)
  for (const [method, path] of [
    ['GET', '/responses/resp_2'],
    ['DELETE', '/responses/resp_2'],
    ['POST', '/responses/resp_2/cancel'],
    ['POST', '/%72esponses/resp_2/cancel'],
    ['POST', '/Responses%2Fresp_2%2Fcancel'],
    ['POST', '/vector_stores/vs_1/search'],
    ['GET', '/containers/cntr_1'],
    ['GET', '/files'],
    ['GET', '/chat/completions'],
    ['GET', '/chat/completions/'],
    ['GET', '/chat/completions/chatcmpl-1'],
    ['GET', '/chat/completions/chatcmpl-1/messages'],
    ['GET', '/Chat/completions/chatcmpl-1'],
    ['POST', '/chat/completions/chatcmpl-1'],
    ['POST', '/chat/%63ompletions/chatcmpl-1'],
    ['POST', '/deployments/gpt-4o/chat/completions/chatcmpl-1'],
    ['DELETE', '/chat/completions/chatcmpl-1'],
    ['POST', '/batches'],
    ['POST', '/messages/batches'],
    ['POST', '/agents/sessions'],
    ['POST', '/models/org/model/predictions'],
    ['POST', '/Models%2Forg%2Fother:generate'],
    ['POST', '/deployments%2Fo1%2Fchat%2Fcompletions'],
    ['POST', '/models/o1:generateContent'],
    ['POST', '/models/gpt-4o:batchGenerateContent'],
    ['POST', '/publishers/google/models/o1:generateContent'],
    ['POST', '/publishers/google/models/gpt-4o/predict'],
    ['POST', '/../v1beta/models/o1%3AgenerateContent'],
    ['POST', '/../v1beta/batches'],
    ['POST', '/../v1beta/deployments/o1/chat/completions'],
    ['GET', '/../v1beta/files'],
    ['GET', '/../v1beta/models/o1'],
  ] as const) {
    expect([path, await statusOf(method, path)]).toEqual([path, 403])
    // fetch sends no body with GET.
    if (method !== 'GET') expect([path, await statusOf(method, path, json, named)]).toEqual([path, 403])
  }
  expect(await statusOf('POST', '/responses/resp_1')).toBe(403)
  for (const [more, status] of [
    ['"models":["gpt-4o","o1"]', 403],
    ['"fallbacks":[{"model":"o1"}]', 403],
    ['"providerOptions":{"gateway":{"models":["o1"]}}', 403],
    ['"providerOptions":{"anthropic":{"effort":"low"}}', 200],
    ['"context_window_fallbacks":[{"org/model":["o1"]}]', 403],
    ['"context_window_fallback_dict":{"org/model":"o1"}', 403],
    ['"content_policy_fallbacks":[{"org/model":["o1"]}]', 403],
    ['"models":[7]', 403],
    ['"models":[oops]', 403],
    ['"models":["gpt-4o"],"Models":["o1"]', 403],
    ['"Fallbacks":["o1"]', 403],
    ['"tools":[{"type":"image_generation","model":"gpt-image-2"}]', 403],
    ['"tools":[{"type":"advisor_20260301","model":"o1"}]', 403],
    ['"models":null,"fallbacks":["org/model"],"tools":[{"type":"function","name":"f"}]', 200],
  ] as const)
    expect([more, await statusOf('POST', '/responses', json, `{"model":"gpt-4o",${more}}`)]).toEqual([more, status])
  expect(await statusOf('POST', '/chat/completions', json, named)).toBe(200)
  for (const path of ['/../v1beta/models/gpt-4o:generateContent', '/publishers/google/models/gpt-4o:generateContent'])
    expect(await statusOf('POST', path, json, '{"model":"o1"}')).toBe(200)
})

test.concurrent('a token that is limited to models reads and deletes the chat completions that it has stored', async () => {
  let id = 0
  const { account } = await bench.createAccountWithUpstream(
    (socket) => socket.write(jsonResponse(`{"id":"chatcmpl-${(id += 1)}"}`)),
    { token: { models: ['gpt-4o'] } },
  )
  const stranger = `Bearer ${(await account.addToken({ models: ['gpt-4o'] })).secret}`
  const stored = '{"model":"gpt-4o","store":true,"messages":[]}'
  await (await account.post(gateway, '/chat/completions', stored)).text()
  await (await account.post(gateway, '/chat/completions', '{"model":"gpt-4o","messages":[]}')).text()
  const statusOf = async (path: string, options: RequestInit = {}) => {
    const response = await account.fetch(other, `/chat/completions/${path}`, options)
    await response.arrayBuffer()
    return response.status
  }
  expect(await statusOf('chatcmpl-1')).toBe(200)
  expect(await statusOf('chatcmpl-1/messages')).toBe(200)
  expect(await statusOf('chatcmpl-2')).toBe(403)
  expect(await statusOf('chatcmpl-1', { headers: { authorization: stranger } })).toBe(403)
  expect(await statusOf('chatcmpl-1', { method: 'DELETE' })).toBe(200)
})

test.concurrent('row 71: a model in the body of a GET opens nothing to a token that is limited to models', async () => {
  const { account } = await bench.createAccountWithUpstream((socket) => socket.write(jsonResponse('{}')), {
    token: { models: ['gpt-4o'] },
  })
  for (const path of ['/files', '/responses/resp_1', '/chat/completions', '/chat/completions/chatcmpl-1']) {
    const headers = { authorization: `Bearer ${account.token.secret}`, 'content-type': 'application/json' }
    const response = await request(`${gateway.baseURL}${path}`, { method: 'GET', headers, body: '{"model":"gpt-4o"}' })
    await response.body.dump()
    expect([path, response.statusCode]).toEqual([path, 403])
  }
})
