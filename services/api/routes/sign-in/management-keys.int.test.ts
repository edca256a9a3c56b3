import { expect, onTestFinished, test } from 'vitest'
import { managementAreas, type NewManagementKey } from '#schemas/management-keys.ts'
import { product } from '#schemas/product.ts'
import { mintToken } from '#shared/secure-token.ts'
import { password, type TestUser, testApi } from '../../test/api.fixture.ts'
import { controlPlaneOperations } from '../../test/operations.fixture.ts'
import { newOwner } from '../../test/account-writes.fixture.ts'

const api = await testApi()

const everything = managementAreas.map((area) => `${area}:write` as const)
const readOnly = managementAreas.map((area) => `${area}:read` as const)

async function keyOf(user: TestUser, scopes: NewManagementKey['scopes'], name = 'Deploy') {
  const response = await user.call('POST', '/api/user/management-keys', { name, scopes })
  expect(response.statusCode).toBe(201)
  return response.json<{ id: string; key: string }>()
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const call = (key: string, method: Method, url: string, payload?: object, headers = {}) =>
  api.app.inject({ method, url, headers: { authorization: `Bearer ${key}`, ...headers }, ...(payload && { payload }) })

test('created after the password was confirmed, shown once, stored as a hash; listed masked, with its last use', async () => {
  const user = await api.register()
  const accountId = await user.accountId()
  await api.sql`update sessions set confirmed_at = now() - interval '1 hour' where account_id = ${accountId}`
  const rejected = await user.call('POST', '/api/user/management-keys', { name: 'Deploy', scopes: everything })
  expect(rejected.json()).toMatchObject({ status: 403, code: 'confirm_password' })
  await api.sql`update sessions set confirmed_at = now() where account_id = ${accountId}`

  const { id, key } = await keyOf(user, ['credentials:write'])
  expect(key).toMatch(/^sm_[0-9A-Za-z]{38}$/)
  const stored = await api.sql`select k::text as text from management_keys k where account_id = ${accountId}`
  expect(JSON.stringify(stored)).not.toContain(key)
  const list = async () => (await user.call('GET', '/api/user/management-keys')).json()
  expect(await list()).toMatchObject([{ id, name: 'Deploy', scopes: ['credentials:write'], lastUsedAt: null }])
  expect(JSON.stringify(await list())).not.toContain(key)
  await call(key, 'GET', '/api/tokens')
  expect(await list()).toMatchObject([{ lastUsedAt: expect.any(String) }])
})

test('does by a script what the screens do, and the audit names it', async () => {
  const user = await api.register()
  const { key } = await keyOf(user, everything, 'CI')
  const created = await call(key, 'POST', '/api/tokens', { name: 'Backend' }, { 'user-agent': 'curl/8' })
  expect(created.statusCode).toBe(201)
  const { id, token } = created.json()
  expect((await call(key, 'GET', `/api/tokens/${id}/reveal`)).json()).toEqual({ token })
  expect((await call(key, 'POST', `/api/tokens/${id}/rotate`, { graceHours: 1 })).statusCode).toBe(200)
  expect((await call(key, 'GET', '/api/logs')).statusCode).toBe(200)
  const audit = (await call(key, 'GET', '/api/user/audit')).json()
  expect(audit).toContainEqual(
    expect.objectContaining({ action: 'secure-token-created', userAgent: 'Management key “CI”, curl/8' }),
  )
})

test('every operation: an area is open to its keys, reads to those that read; the rest is for people', async () => {
  const { user } = await newOwner(api)
  const [all, reader] = [await keyOf(user, everything), await keyOf(user, readOnly)]
  const operations = await controlPlaneOperations(api)
  const known = '00000000-0000-7000-8000-000000000000'
  for (const { method, path, operation } of operations) {
    const { security } = operation
    if (!security?.length || path.endsWith('/tail')) continue
    const url = path.replaceAll(/\{\w+\}/g, known)
    const isOpen = security.some((way) => 'managementKey' in way)
    const isScopeMissing = { all: !isOpen, reader: !isOpen || method !== 'GET' }
    const codes = { all: (await call(all.key, method, url)).body, reader: (await call(reader.key, method, url)).body }
    expect(codes.all.includes('"key-scope"'), `${method} ${path}`).toBe(isScopeMissing.all)
    expect(codes.reader.includes('"key-scope"'), `${method} ${path}, read`).toBe(isScopeMissing.reader)
  }
})

test('row 70: other accounts, its own scope, as a token, in a browser', async () => {
  const [ann, bob] = [await newOwner(api), await newOwner(api)]
  const { id, key } = await keyOf(ann.user, everything)

  expect((await call(key, 'DELETE', `/api/tokens/${bob.tokenId}`)).statusCode).toBe(404)
  expect((await call(key, 'GET', '/api/tokens', undefined, { 'x-sallyport-account': bob.accountId })).statusCode).toBe(
    409,
  )

  const wider = { name: 'Wider', scopes: everything }
  expect((await call(key, 'POST', '/api/user/management-keys', wider)).statusCode).toBe(403)
  expect((await call(key, 'DELETE', `/api/user/management-keys/${id}`)).statusCode).toBe(403)
  for (const [method, url, body] of [
    ['DELETE', '/api/user/account', undefined],
    [
      'PATCH',
      '/api/user/profile',
      { username: ann.user.username, email: 'eve@example.test', firstName: 'A', lastName: 'B' },
    ],
    ['GET', '/api/user/sessions', undefined],
  ] as const) {
    expect((await call(key, method, url, body)).statusCode, url).toBe(403)
  }

  const guess = {
    currentPassword: 'a guess',
    newPassword: 'another long secret',
    confirmPassword: 'another long secret',
  }
  expect((await call(key, 'PATCH', '/api/user/password', guess)).json().code).toBe('key-scope')

  // Otherwise, the owner's provider keys would be sent to the new address.
  const config = (await call(key, 'GET', '/api/proxy/config')).json()
  const moved = await call(key, 'POST', '/api/proxy/config', { ...config, baseUrl: 'http://127.0.0.3:9' })
  expect(moved.json()).toMatchObject({ status: 409 })

  for (const headers of [{ origin: 'http://localhost' }, { 'sec-fetch-site': 'same-origin' }, { cookie: 'a=b' }]) {
    expect((await call(key, 'GET', '/api/tokens', undefined, headers)).statusCode).toBe(401)
  }
})

const statusOf = async (key: string) => (await call(key, 'GET', '/api/tokens')).statusCode

test('unknown, misspelt, expired, deleted, of a disabled account, or a secure token: 401', async () => {
  const user = await api.register()
  const accountId = await user.accountId()
  const { token } = (await user.call('POST', '/api/tokens', { name: 'Backend' })).json()
  const [expired, deleted, disabled] = [
    await keyOf(user, everything),
    await keyOf(user, everything),
    await keyOf(user, everything),
  ]
  await api.sql`update management_keys set expires_at = now() where id = ${expired.id}`
  expect((await user.call('DELETE', `/api/user/management-keys/${deleted.id}`)).statusCode).toBe(204)
  expect(await statusOf(disabled.key)).toBe(200)
  await api.sql`update accounts set disabled_at = now() where id = ${accountId}`
  const misspelt = `${disabled.key.slice(0, -1)}${disabled.key.endsWith('0') ? '1' : '0'}`
  const unknown = mintToken(product.managementKeyPrefix)
  for (const key of [expired.key, deleted.key, disabled.key, misspelt, unknown, token])
    expect(await statusOf(key)).toBe(401)
})

test('row 74: unknown keys leave connections to Postgres for everyone else', async () => {
  const user = await api.register()
  const { promise: isLocked, resolve: confirmLock } = Promise.withResolvers<void>()
  const { promise: isOver, resolve: unlock } = Promise.withResolvers<void>()
  onTestFinished(() => unlock())
  const locking = api.sql.begin(async (tx) => {
    await tx`lock table management_keys`
    confirmLock()
    await isOver
  })
  await isLocked
  const guesses = Promise.all(Array.from({ length: 50 }, () => statusOf(mintToken(product.managementKeyPrefix))))
  expect((await user.call('GET', '/api/user')).statusCode).toBe(200)
  unlock()
  await locking
  expect(new Set(await guesses)).toEqual(new Set([401]))
})

test('bad input: no area, an area twice, an unknown one, too long a life, a key too many', async () => {
  const user = await api.register()
  const create = async (changes: object) =>
    (await user.call('POST', '/api/user/management-keys', { name: 'CI', scopes: ['logs:read'], ...changes })).statusCode
  for (const scopes of [[], ['logs:read', 'logs:write'], ['logs:admin'], ['sessions:read']]) {
    expect(await create({ scopes })).toBe(400)
  }
  for (const days of [0, 366, 1.5, '90']) expect(await create({ days })).toBe(400)
  for (let count = 0; count < 20; count += 1) expect(await create({})).toBe(201)
  expect(await create({})).toBe(403)
})

test('a key that has used up its changes can still be deleted by its owner', async () => {
  const user = await api.register()
  const { id, key } = await keyOf(user, everything)
  await api.state.set(`sallyport:throttle:change:${id}`, 1_000, 'PX', 60_000)
  expect((await call(key, 'POST', '/api/tokens', { name: 'Laptop' })).statusCode).toBe(429)
  expect((await user.call('DELETE', `/api/user/management-keys/${id}`)).statusCode).toBe(204)
})

test('a key that guesses the password uses up its own attempts, not those of its owner', async () => {
  const { user } = await newOwner(api)
  const { key } = await keyOf(user, ['credentials:write'])
  const elsewhere = { baseUrl: 'http://127.0.0.3:9', currentPassword: 'a guess' }
  const guesses = []
  for (let time = 0; time < 11; time += 1) {
    guesses.push((await call(key, 'POST', '/api/proxy/config', elsewhere)).json().code)
  }
  expect(guesses).toEqual([...Array<string>(10).fill('wrong-password'), 'too-many-requests'])
  expect((await user.call('POST', '/api/user/confirm', { currentPassword: password })).statusCode).toBe(204)
})
