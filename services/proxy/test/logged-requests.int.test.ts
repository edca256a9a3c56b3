import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hour } from '#core/units.ts'
import { keptBodyBytes } from '#schemas/request-logs.ts'
import { keyStatesKey } from '#store/redis/key-states.ts'
import { useTestBench } from './gateway.fixture.ts'
import { jsonResponse, okHead } from './raw-upstream.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

/** Contents of a request log other than its numbers. */
const bench = await useTestBench()
const gateway = await bench.startGateway()
afterEach(() => void vi.useRealTimers())

const key = 'sk-the-key-of-this-account'
const rateLimited = {
  message: `Rate limit reached for ${key}`,
  type: 'requests',
  param: null,
  code: 'rate_limit_exceeded',
}
const json = (status: string, body: object) =>
  jsonResponse(JSON.stringify(body)).replace('HTTP/1.1 200 OK', `HTTP/1.1 ${status}`)
const { account, upstream } = await bench.createAccountWithUpstream(
  (socket, _nth, head) => {
    if (head.includes('/limited')) return socket.write(json('429 Too Many Requests', { error: rateLimited }))
    if (head.includes('/page'))
      return socket.write('HTTP/1.1 503 Busy\r\ncontent-type: text/html\r\ncontent-length: 4\r\n\r\n<p/>')
    if (head.includes('/speech')) return socket.write(jsonResponse('sound').replace('application/json', 'audio/mpeg'))
    if (!head.includes('/stream')) return socket.write(jsonResponse())
    socket.setNoDelay()
    socket.write(`${okHead('content-type: text/event-stream', 'connection: close')}data: {"id":1}\n\n`)
    return setTimeout(() => socket.end(`event: error\ndata: ${JSON.stringify({ error: rateLimited })}\n\n`), 20)
  },
  { keys: [key], config: { retryAttempts: 0 } },
)
const logOf = async (path: string, init?: RequestInit) => bench.events.of(await account.fetch(gateway, path, init))
const said = { errorMessage: 'Rate limit reached for ***', errorCode: 'rate_limit_exceeded', errorType: 'requests' }

const shownFailure = () => bench.state.hget(keyStatesKey(account.accountId), `${account.keyIds[0]}:failure`)

describe('an error', () => {
  test('of the provider, without the key', async () => expect(await logOf('/limited')).toMatchObject(said))

  test('of the provider, without the key, is shown beside the key', async () => {
    await logOf('/limited')
    await expect.poll(shownFailure).toContain(`"status":429,"message":"${said.errorMessage}"`)
  })

  test('within a stream', async () => {
    const response = await account.fetch(gateway, '/stream')
    await response.text()
    expect(await bench.events.of(response)).toMatchObject({ status: 200, ...said })
  })

  test('that is a page says nothing', async () =>
    expect(await logOf('/page')).toMatchObject({ status: 503, errorMessage: null, errorCode: null, errorType: null }))

  test('of the gateway', async () => {
    const restricted = await bench.createTestAccount({ token: { models: ['gpt-4o'] } })
    const response = await restricted.post(gateway, '/chat/completions', '{"model":"gpt-4o-mini"}')
    expect(await bench.events.of(response)).toMatchObject({
      errorCode: 'model_not_allowed',
      errorType: expect.any(String),
    })
  })
})

test('a query is logged without its credentials, and forwarded with them', async () => {
  const { query, endpoint } = await logOf(`/things?limit=3&key=${key}&after=a%20b&api-key=x&token`)
  expect([endpoint, query]).toEqual(['/v1/things', 'limit=3&key=[redacted]&after=a%20b&api-key=[redacted]&token'])
  expect(upstream.heads.at(-1)).toContain(`?limit=3&key=${key}&after=a%20b&api-key=x&token HTTP`)
})

describe('tags', () => {
  const headers = { 'x-sallyport-metadata': '{"customer":"acme","bad key":"1"}' }

  test('are logged, not forwarded, and what is wrong with them is said', async () => {
    const response = await account.fetch(gateway, '/things', { headers })
    expect(response.headers.get('x-sallyport-warning')).toBe('tags ignored: bad?key')
    expect((await bench.events.of(response)).tags).toEqual({ customer: 'acme' })
    expect(upstream.heads.at(-1)).not.toMatch(/metadata/)
  })

  test('of the token are in each of its requests, rejected ones too', async () => {
    const token = { models: ['gpt-4o'], tags: { team: 'search' } }
    const tagged = await bench.createTestAccount({ token })
    const rejected = await tagged.post(gateway, '/chat/completions', '{"model":"gpt-4o-mini"}')
    expect((await bench.events.of(rejected)).tags).toEqual({ team: 'search' })
  })

  test('are not logged for an account that switched them off', async () => {
    const discreet = await bench.createTestAccount({ config: { logTags: false } })
    const response = await discreet.fetch(gateway, '/models', { headers })
    expect((await bench.events.of(response)).tags).toEqual({})
  })
})

async function areBodiesLogged(owner: TestAccount, secret = owner.token.secret) {
  const response = await owner.chat(gateway, {}, { headers: { authorization: `Bearer ${secret}` } })
  await response.text()
  const { requestBody, responseBody } = await bench.events.of(response)
  return [requestBody !== null, responseBody !== null]
}

test('bodies of one token are logged for an hour and not a millisecond longer, though the account logs none', async () => {
  const owner = await bench.createTestAccount()
  const other = await owner.addToken()
  expect(await areBodiesLogged(owner)).toEqual([false, false])
  const { logBodiesUntil } = (await owner.logBodies(owner.token.id, 1))!
  await expect.poll(() => areBodiesLogged(owner)).toEqual([true, true])
  expect(await areBodiesLogged(owner, other.secret)).toEqual([false, false])

  // The account stays cached: nothing tells the proxy that the time is over.
  const now = logBodiesUntil!.getTime() - 1
  vi.useFakeTimers({ toFake: ['Date'], now })
  expect(await areBodiesLogged(owner)).toEqual([true, true])
  vi.setSystemTime(now + 1)
  expect(await areBodiesLogged(owner)).toEqual([false, false])
  vi.setSystemTime(now + hour)
  expect(await areBodiesLogged(owner)).toEqual([false, false])
})

test('bodies of one token are logged no longer once that is ended, unless the account logs them', async () => {
  const owner = await bench.createTestAccount({ config: { logBodies: true } })
  await owner.logBodies(owner.token.id, 24)
  await owner.logBodies(owner.token.id, 0)
  expect(await areBodiesLogged(owner)).toEqual([true, true])
  await owner.configure({ logBodies: false })
  await expect.poll(() => areBodiesLogged(owner)).toEqual([false, false])
})

test('a longer body is cut, and the log has its whole size; an encoded one is not logged', async () => {
  const owner = await bench.createTestAccount({ config: { logBodies: true } })
  const start = '{"model":"gpt-4o-mini","padding":"'
  const body = `${start}${'x'.repeat(keptBodyBytes - start.length - 2)}日本"}`
  const cut = await bench.events.of(await owner.post(gateway, '/chat/completions', body))
  // A character that is cut in two is left out.
  expect(cut).toMatchObject({ requestBytes: Buffer.byteLength(body), requestBody: body.slice(0, keptBodyBytes - 2) })
  const types = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const encoded = await bench.events.of(await owner.post(gateway, '/things', gzipSync(body), types))
  expect(encoded.requestBody).toBeNull()
})

test('of a form and a recording, only the sizes are logged', async () => {
  const config = { baseUrl: upstream.origin, logBodies: true }
  const owner = await bench.createTestAccount({ keys: [key], config })
  const types = { 'content-type': 'multipart/form-data; boundary=b' }
  const event = await bench.events.of(await owner.post(gateway, '/speech', '--b--', types))
  expect(event).toMatchObject({ requestBody: null, requestBytes: 5, responseBody: null, responseBytes: 5 })
})
