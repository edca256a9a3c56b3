import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { listenLocally } from '#tools/process/listen.ts'
import { password, testApi } from '../test/api.fixture.ts'
import { newKey } from '../test/account-writes.fixture.ts'

let seen: (string | undefined)[] = []
let seenHeaders: IncomingHttpHeaders = {}
let providerResponse: { status: number; headers: Record<string, string> }

const provider = createServer((request, response) => {
  seen.push(`${request.method} ${request.url} ${request.headers.authorization}`)
  seenHeaders = request.headers
  if (providerResponse.status === 0) return
  response.writeHead(providerResponse.status, providerResponse.headers).end('{"data":[]}')
})
const providerUrl = `http://127.0.0.1:${await listenLocally(provider)}`
const api = await testApi({ PROVIDER_BASE_URL: providerUrl })
const careless = await api.register()
afterAll(() => {
  provider.closeAllConnections()
  provider.close()
})
beforeEach(() => {
  seen = []
  providerResponse = { status: 200, headers: { 'content-type': 'application/json' } }
})

const config = (changes: object = {}) => ({
  baseUrl: providerUrl,
  timeout: 30_000,
  retryAttempts: 3,
  rateLimitEnabled: true,
  maxRequestsPerMinute: 60,
  ...changes,
})

test('a configuration can be saved and read; omitted fields keep their values', async () => {
  const ann = await api.register()
  const save = (changes: object) => ann.call('POST', '/api/proxy/config', config(changes))
  expect((await save({ logBodies: true, cacheSeconds: 60, timeout: 1_000 })).statusCode).toBe(200)
  const second = await save({
    baseUrl: `${providerUrl}/v1/`,
    streamUsage: false,
    distribution: 'spread',
    credentialHeader: 'api-key',
  })
  expect(second.json()).toEqual({
    ...config(),
    baseUrl: `${providerUrl}/v1`,
    logBodies: true,
    logClientAddress: true,
    logTags: true,
    cacheSeconds: 60,
    streamUsage: false,
    distribution: 'spread',
    credentialHeader: 'api-key',
  })
  expect((await ann.call('GET', '/api/proxy/config')).json()).toEqual(second.json())
})

test.each([
  [{ baseUrl: '  ' }, 'baseUrl', 'Base URL is required'],
  [{ baseUrl: 'ftp://example.com' }, 'baseUrl', 'Base URL must be an http or https address'],
  [{ baseUrl: 'https://user:pw@example.com' }, 'baseUrl', 'Base URL must be an http or https address'],
  [{ baseUrl: 'https://example.com/?api_key=1' }, 'baseUrl', 'Base URL must be an http or https address'],
  [{ baseUrl: 'https://example.com\r\nx: y' }, 'baseUrl', 'Base URL must be an http or https address'],
  [{ timeout: 999 }, 'timeout', 'Timeout must be between 1 and 300 seconds'],
  [{ timeout: 300_001 }, 'timeout', 'Timeout must be between 1 and 300 seconds'],
  [{ retryAttempts: 11 }, 'retryAttempts', 'Retry attempts must be between 0 and 10'],
  [{ maxRequestsPerMinute: 0 }, 'maxRequestsPerMinute', 'Maximum requests per minute must be between 1 and 1000'],
  [{ cacheSeconds: 86_401 }, 'cacheSeconds', 'Cache time must be between 0 and 86400 seconds'],
])('rejects %o at its field', async (changes, field, message) => {
  const rejected = await careless.call('POST', '/api/proxy/config', config(changes))
  expect(rejected.statusCode).toBe(400)
  expect(rejected.json().errors[0].field).toBe(field)
  expect(rejected.json().detail).toContain(message)
})

test.each(['http://10.0.0.1', 'http://[::ffff:10.0.0.1]', 'http://167772161', 'http://１０.0.0.1'])(
  'rejects %s, which is not a public address',
  async (baseUrl) => {
    const rejected = await careless.call('POST', '/api/proxy/config', config({ baseUrl }))
    expect(rejected.json()).toMatchObject({
      status: 400,
      errors: [{ field: 'baseUrl', message: 'Base URL must not lead to a private or reserved address' }],
    })
  },
)

test('another origin is confirmed by the password while keys are stored, and gets none of them', async () => {
  const ann = await api.register()
  const elsewhere = config({ baseUrl: providerUrl.replace('127.0.0.1', '127.0.0.2') })
  await ann.call('POST', '/api/keys', newKey)
  const asked = await ann.call('POST', '/api/proxy/config', elsewhere)
  expect(asked.json()).toMatchObject({ status: 409, code: 'confirm_origin' })
  expect((await ann.call('GET', '/api/proxy/config')).json().baseUrl).toBe(providerUrl)

  const wrong = await ann.call('POST', '/api/proxy/config', { ...elsewhere, currentPassword: 'not the password' })
  expect(wrong.json()).toMatchObject({ status: 403, code: 'wrong-password', errors: [{ field: 'currentPassword' }] })

  const saved = await ann.call('POST', '/api/proxy/config', { ...elsewhere, currentPassword: password })
  expect(saved.statusCode).toBe(200)
  seen = []
  const tried = await ann.call('POST', '/api/proxy/test')
  expect(tried.json().success).toBe(false)
  expect(tried.json().message).toContain('are not sent to')
  expect(seen).toEqual([])
})

test('the path below the same origin may change without a confirmation', async () => {
  const ann = await api.register()
  await ann.call('POST', '/api/keys', newKey)
  expect((await ann.call('POST', '/api/proxy/config', config({ baseUrl: `${providerUrl}/v1` }))).statusCode).toBe(200)
  await ann.call('POST', '/api/proxy/test')
  expect(seen.at(-1)).toBe('GET /v1/models Bearer sk-0123456789abcdef')
})

test.each(['api-key', 'x-api-key', 'x-goog-api-key'])(
  'the test request sends the key in %s, to where an SDK would send it',
  async (header) => {
    const ann = await api.register()
    await ann.call('POST', '/api/keys', newKey)
    await ann.call('POST', '/api/proxy/config', config({ baseUrl: `${providerUrl}/openai`, credentialHeader: header }))
    expect((await ann.call('POST', '/api/proxy/test')).json()).toMatchObject({ success: true })
    expect(seen.at(-1)).toBe('GET /openai/models undefined')
    expect(seenHeaders).toMatchObject({ [header]: 'sk-0123456789abcdef' })
  },
)

test('the test request describes the result', async () => {
  const ann = await api.register()
  const run = async () => (await ann.call('POST', '/api/proxy/test')).json()
  expect(await run()).toEqual({ success: false, message: 'No API key is active. Add one.' })
  await ann.call('POST', '/api/keys', newKey)
  expect(await run()).toEqual({ success: true, message: expect.stringContaining('accepted the API key') })
  await ann.call('POST', '/api/keys', { name: 'Backup', key: 'sk-backup-key-000000' })
  const [primary] = (await ann.call('GET', '/api/keys')).json()
  await ann.call('DELETE', `/api/keys/${primary.id}`)
  expect(await run()).toEqual({ success: true, message: expect.stringMatching(/^Tested with a backup key.*accepted/) })
  expect(seen.at(-1)).toBe('GET /v1/models Bearer sk-backup-key-000000')
  providerResponse.status = 401
  expect(await run()).toEqual({ success: false, message: expect.stringContaining('rejected the API key (status 401)') })
  providerResponse = { status: 302, headers: { location: 'http://169.254.169.254/' } }
  expect((await run()).message).toContain('redirects')
  providerResponse = { status: 200, headers: { 'content-type': 'text/html' } }
  expect((await run()).message).toContain('not like a provider')
  providerResponse.status = 0
  await ann.call('POST', '/api/proxy/config', config({ timeout: 1_000 }))
  expect((await run()).message).toMatch(/The provider did not respond within 1 s\.$/)
})

test('each key can be tested again, and is not sent to an origin that it was not entered for', async () => {
  const ann = await api.register()
  const { id } = (await ann.call('POST', '/api/keys', newKey)).json()
  const run = async () => (await ann.call('POST', `/api/keys/${id}/test`)).json()
  expect(await run()).toEqual({ success: true, message: expect.stringContaining('accepted the API key') })
  expect(seen.at(-1)).toBe('GET /v1/models Bearer sk-0123456789abcdef')
  const elsewhere = config({ baseUrl: providerUrl.replace('127.0.0.1', '127.0.0.2'), currentPassword: password })
  await ann.call('POST', '/api/proxy/config', elsewhere)
  expect(await run()).toEqual({ success: false, message: expect.stringContaining('is not sent to') })
  const states = (await ann.call('GET', '/api/keys/states')).json()
  expect(states).toMatchObject([{ id, otherOrigin: new URL(providerUrl).origin }])
  expect((await ann.call('GET', '/api/keys')).json()).toMatchObject([{ id, isActive: false }])
})

test('a key that the provider rejects is stored anyway, with a warning', async () => {
  const ann = await api.register()
  providerResponse.status = 401
  const added = await ann.call('POST', '/api/keys', newKey)
  expect(added.statusCode).toBe(201)
  expect(added.json().warning).toContain('rejected the API key')
  expect(added.body).not.toContain('sk-0123456789abcdef')
  providerResponse.status = 200
  expect((await ann.call('POST', '/api/keys', { name: 'Two', key: 'sk-other-key-000000' })).json().warning).toBeNull()
  providerResponse.status = 0
  const silent = await ann.call('POST', '/api/keys', { name: 'Three', key: 'sk-third-key-000000' })
  expect(silent.json()).toMatchObject({ name: 'Three', warning: 'The provider did not respond within 5 s.' })
  expect((await ann.call('GET', '/api/keys')).json()).toHaveLength(3)
})
