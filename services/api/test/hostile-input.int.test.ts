import { expect, test } from 'vitest'
import { modelPrice, newOwner, newView } from './account-writes.fixture.ts'
import { password, testApi } from './api.fixture.ts'
import { controlPlaneOperations } from './operations.fixture.ts'

const api = await testApi()
const ann = await api.register()

/** Valid bodies for routes that validate them first. */
const bodies: Record<string, object> = {
  'PATCH /api/keys/{id}': { name: 'Mine now' },
  'PATCH /api/tokens/{id}': { name: 'Mine now' },
  'PUT /api/tokens/{id}/toggle': { isActive: false },
  'POST /api/tokens/{id}/rotate': { graceHours: 1 },
  'POST /api/tokens/{id}/log-bodies': { for: 'day' },
  'PATCH /api/alerts/{id}': { name: 'Mine now' },
  'PUT /api/model-prices/{id}': { ...modelPrice, pattern: 'mine-now' },
  'PUT /api/views/{id}': { ...newView, name: 'mine-now' },
}

const ownLists = ['keys', 'tokens', 'model-prices', 'views', 'alerts', 'webhooks', 'user/management-keys']

test('the ids of another account exist for no other account, whatever the call', async () => {
  const bob = await api.register()
  const { user: owner, keyId, tokenId, priceId, viewId, alertId, webhookId } = await newOwner(api)
  const [session] = (await owner.call('GET', '/api/user/sessions')).json()
  const managementKey = { name: 'CI', scopes: ['account:write'] }
  const { id: managementKeyId } = (await owner.call('POST', '/api/user/management-keys', managementKey)).json()
  // Its previous secret can be ended, too.
  await owner.call('POST', `/api/tokens/${tokenId}/rotate`, { graceHours: 1 })
  const ids = [keyId, tokenId, priceId, viewId, alertId, webhookId, managementKeyId, session.id]
  const readLists = () => Promise.all(ownLists.map(async (list) => (await owner.call('GET', `/api/${list}`)).json()))
  const before = await readLists()

  const withId = (await controlPlaneOperations(api)).filter(({ path }) => path.includes('{id}'))
  expect(withId.length).toBeGreaterThan(6)
  for (const { method, path } of withId) {
    for (const id of ids) {
      const response = await bob.call(method, path.replace('{id}', id), bodies[`${method} ${path}`])
      // A recent id may belong to a log that is not stored yet.
      if (response.statusCode === 202) expect(response.json()).toEqual({ id, pending: true })
      else expect(response.statusCode, `${method} ${path}`).toBe(404)
    }
  }
  expect(await readLists()).toEqual(before)
})

test('row 69: rejects requests of the request tester outside the proxy', async () => {
  const tester = { 'x-sallyport-tester': '1', 'sec-fetch-site': 'same-origin' }
  const paths = ['/api/user/account', '/api/proxy/config', '/api/proxy/../user/account', '/api/proxy//host/v1', '/']
  for (const path of paths) {
    for (const method of ['GET', 'DELETE'] as const) {
      const response = await ann.call(method, path, undefined, tester)
      expect(response.statusCode, `${method} ${path}`).toBe(400)
      expect(response.json().detail).toContain('/api/proxy/v1/')
    }
  }
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(200)
})

test.each([
  ['another site says', { 'sec-fetch-site': 'cross-site' }],
  ['a sister site says', { 'sec-fetch-site': 'same-site' }],
  ['the origin is another', { origin: 'https://evil.test' }],
  ['the origin is hidden', { origin: 'null' }],
])('a page that is not ours changes nothing: %s', async (_what, headers) => {
  const response = await ann.call('PATCH', '/api/user/preferences', { theme: 'dark' }, headers)
  expect(response.json()).toMatchObject({ status: 403, code: 'cross-site' })
  expect((await ann.call('GET', '/api/user/preferences')).json().theme).toBe('system')
})

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/jsonp', 415],
  ['application/json ; charset=utf-8', 400],
  ['APPLICATION/JSON', 400],
  ['application/json\t', 400],
])('a body of the type "%s" is validated like any other, or rejected', async (type, status) => {
  const response = await ann.call('PATCH', '/api/user/preferences', '{"theme":"pink"}', { 'content-type': type })
  expect(response.statusCode).toBe(status)
})

test('a call without a body may have the content type that its client sends with every call', async () => {
  const { id } = (await ann.call('POST', '/api/keys', { name: 'a', key: 'sk-0123456789abcdef' })).json()
  const send = (method: 'PUT' | 'DELETE', path: string) =>
    ann.call(method, path, undefined, { 'content-type': 'application/json' })
  expect((await send('PUT', `/api/keys/${id}/primary`)).statusCode).toBe(200)
  expect((await send('DELETE', `/api/keys/${id}`)).statusCode).toBe(204)
})

test('what changes something is not done by GET, and no address accepts a method that it does not know', async () => {
  const byUrl = Map.groupBy(await controlPlaneOperations(api), ({ path }) => path)
  for (const [path, known] of byUrl) {
    const url = path.replaceAll(/\{\w+\}/g, '0199a000-0000-7000-8000-000000000001')
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (known.some((each) => each.method === method)) continue
      const response = await ann.call(method, url)
      expect(response.statusCode, `${method} ${url}`).toBe(405)
      expect(response.headers.allow).toContain(known[0]!.method)
    }
  }
})

test.each([
  ['50 MB', () => Buffer.alloc(50_000_000, 0x20), 413],
  ['JSON that is 10,000 levels deep', () => Buffer.from('['.repeat(10_000) + ']'.repeat(10_000)), 400],
  ['JSON that never ends', () => Buffer.from('{"a":'.repeat(20_000)), 400],
  ['bytes that are not UTF-8', () => Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ['NUL in text', () => Buffer.from(JSON.stringify({ username: 'a\u0000b', password })), 400],
  ['__proto__', () => Buffer.from('{"__proto__":{"isAdmin":true},"username":"abc","password":"x"}'), 400],
  [
    'constructor',
    () => Buffer.from('{"constructor":{"prototype":{"isAdmin":true}},"username":"abc","password":"x"}'),
    400,
  ],
  ['a list', () => Buffer.from('[]'), 400],
  ['nothing', () => Buffer.from(''), 400],
  ['null', () => Buffer.from('null'), 400],
])('a body of %s is rejected and breaks nothing', async (_what, body, status) => {
  const response = await ann.call('POST', '/api/login', body(), { 'content-type': 'application/json' })
  expect(response.statusCode).toBe(status)
  expect(response.headers['content-type']).toContain('application/problem+json')
  expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(200)
})

test('the response to thousands of wrong fields is short, and names some of them', async () => {
  const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`field-${at}`, 1]))
  const unknown = await ann.call('POST', '/api/login', fields)
  const wrong = await ann.call('POST', '/api/tokens', { name: 'a', models: Array(2_000).fill(1) })
  for (const response of [unknown, wrong]) {
    expect(response.statusCode).toBe(400)
    expect(response.body.length).toBeLessThan(4_000)
  }
  expect(unknown.json().errors).toContainEqual({ field: 'field-0', message: 'Unrecognized key: "field-0"' })
})

test('bodies are short: checking a long list of wrong values would block all other requests', async () => {
  const search = { a: Array.from({ length: 100_000 }, () => []) }
  const response = await ann.call('POST', '/api/views', { name: 'a', screen: 'analytics', search })
  expect(response.json()).toMatchObject({ status: 413, code: 'body-too-large' })
})

test('what people write comes back as text, under a policy that runs none of it', async () => {
  const name = '<img src=x onerror=alert(1)>\u001b[31m'.slice(0, 28)
  const added = await ann.call('POST', '/api/keys', { name, key: 'sk-0123456789abcdef' })
  expect(added.json().name).toBe(name)
  expect(added.headers['content-type']).toContain('application/json')
  expect(added.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  })
  const policy = String(added.headers['content-security-policy'])
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  for (const text of ['ansi \u001b[31m', 'bidi \u202e']) {
    const rejected = await ann.call('POST', '/api/keys', { name: text, key: 'sk-0123456789abcdef' })
    expect(rejected.json()).toMatchObject({ status: 400, errors: [{ field: 'name' }] })
  }
})

test.each([
  'GET /api/logs?search=%00',
  'GET /api/user/audit?before=%27--',
  'GET /api/keys/%2e%2e%2f',
  'DELETE /api/keys/%00',
  'GET /api/keys/%zz',
  `GET /api/user/photo/${'x'.repeat(5_000)}`,
])('%s does not fail with a server error', async (call) => {
  const [method, url] = call.split(' ') as ['GET', string]
  expect((await ann.call(method, url)).statusCode).toBeLessThan(500)
})

test('a key never comes back, not even in what goes wrong', async () => {
  const key = 'sk-secret-0123456789-secret'
  const added = await ann.call('POST', '/api/keys', { name: 'Main', key })
  const listed = await ann.call('GET', '/api/keys')
  const tried = await ann.call('POST', '/api/proxy/test')
  const rejected = await ann.call('POST', '/api/keys', { name: '', key })
  const unreadable = await ann.call('POST', '/api/keys', `{"key":"${key}"`, { 'content-type': 'application/json' })
  for (const response of [added, listed, tried, rejected, unreadable]) expect(response.body).not.toContain('0123456789')
})
