import { expect, test } from 'vitest'
import { hashToken, isWellFormedToken } from '#shared/secure-token.ts'
import { createCredentialStore } from '#store/postgres/credentials/credentials.ts'
import { noRestrictions } from '#store/postgres/credentials/secure-tokens.ts'
import { testApi } from '../test/api.fixture.ts'

const api = await testApi()
const careless = await api.register('pro')

const noLimits = {
  models: null,
  allowedAddresses: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  maxConcurrentRequests: null,
  dailyBudgetUsd: null,
  monthlyBudgetUsd: null,
}

test('a token is unmasked when created and when revealed, otherwise masked', async () => {
  const ann = await api.register('free')
  const created = await ann.call('POST', '/api/tokens', { name: ' Laptop ' })
  expect(created.statusCode).toBe(201)
  const { id, token, ...rest } = created.json()
  expect(isWellFormedToken(token)).toBe(true)
  expect(rest).toEqual({
    name: 'Laptop',
    isActive: true,
    usageCount: 0,
    lastUsed: null,
    expiresAt: null,
    createdAt: expect.any(String),
    previousSecret: null,
    logBodiesUntil: null,
    ...noLimits,
    tags: null,
    dailySpending: null,
    monthlySpending: null,
  })
  const listed = await ann.call('GET', '/api/tokens')
  expect(listed.json()).toEqual([{ id, ...rest, token: `st_••••••••${token.slice(-4)}` }])
  const revealed = await ann.call('GET', `/api/tokens/${id}/reveal`)
  expect(revealed.json()).toEqual({ token })
})

test('an id in capitals names the same token', async () => {
  const ann = await api.register()
  const { id } = (await ann.call('POST', '/api/tokens', { name: 'Laptop' })).json()
  const url = `/api/tokens/${id.toUpperCase()}`
  const { token } = (await ann.call('POST', `${url}/rotate`, { graceHours: 0 })).json()
  expect((await ann.call('GET', `${url}/reveal`)).json()).toEqual({ token })
  expect((await ann.call('GET', `/api/tokens/${id}/reveal`)).json()).toEqual({ token })
})

test.each([
  ['free', 1],
  ['basic', 5],
  ['pro', 10],
] as const)('fifty parallel creations on the %s plan create exactly %d tokens', async (plan, limit) => {
  const ann = await api.register(plan)
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, at) => ann.call('POST', '/api/tokens', { name: `Token ${at}` })),
  )
  expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(limit)
  const rejected = responses.find(({ statusCode }) => statusCode !== 201)!
  expect(rejected.json()).toMatchObject({ status: 403, code: 'token-limit-reached' })
  expect((await ann.call('GET', '/api/tokens')).json()).toHaveLength(limit)
})

test('many tokens come in pages, also while they are deleted, and are found by their name or id', async () => {
  const ann = await api.register('enterprise')
  const stranger = await api.register('enterprise')
  await stranger.call('POST', '/api/tokens', { name: 'Café 7' })
  const create = (name: string) => ann.call('POST', '/api/tokens', { name })
  // Those of one transaction have the same time.
  const ids = []
  for (const name of ['CAFÉ 1', '100 %', 'Café 2', 'Backend', 'café 3']) ids.push((await create(name)).json().id)
  await api.sql`update secure_tokens set created_at = now() where id in ${api.sql(ids.slice(1, 4))}`
  const all = await ann.call('GET', '/api/tokens')
  const ordered: string[] = all.json().map(({ id }: { id: string }) => id)
  expect(all.headers).toMatchObject({ 'x-total-count': '5' })
  expect(all.headers['x-next-cursor']).toBeUndefined()
  expect(ordered).toEqual([ids[0], ids[4], ...ids.slice(1, 4)])

  const seen: string[] = []
  let cursor: string | undefined = ''
  while (cursor !== undefined) {
    const page = await ann.call('GET', `/api/tokens?limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.json().map(({ id }: { id: string }) => id))
    cursor = page.headers['x-next-cursor']?.toString()
    await ann.call('DELETE', `/api/tokens/${seen.at(-1)}`)
  }
  expect(seen).toEqual(ordered)
  const preferred = await ann.call('GET', '/api/tokens', undefined, { prefer: 'respond-async, maxpagesize=1' })
  expect([preferred.json().length, preferred.headers['x-total-count']]).toEqual([1, '2'])

  const named = await ann.call('GET', `/api/tokens?limit=5&search=${encodeURIComponent('café')}`)
  expect(named.json()).toEqual([expect.objectContaining({ name: 'CAFÉ 1' })])
  expect(named.headers['x-total-count']).toBe('1')
  const [strange] = (await stranger.call('GET', '/api/tokens')).json()
  const byId = await ann.call('GET', `/api/tokens?id=${ids[0]},${strange.id}`)
  expect(byId.json()).toEqual([expect.objectContaining({ id: ids[0] })])
  const literal = await ann.call('GET', '/api/tokens?search=%25')
  expect(literal.json()).toEqual([expect.objectContaining({ name: '100 %' })])
})

test('a list without a limit has all tokens, however many, without their secrets', async () => {
  const ann = await api.register('enterprise')
  await api.sql`
    insert into secure_tokens (id, account_id, name, token_hash, sealed_token, masked_token, created_at)
    select gen_random_uuid(), ${await ann.accountId()}, n::text, sha256(n::text::bytea), 'sealed', 'masked',
      now() + n * interval '1 microsecond'
    from generate_series(1, 401) n`
  const { headers, body, json } = await ann.call('GET', '/api/tokens')
  expect(headers).toMatchObject({ 'x-total-count': '401', 'content-type': 'application/json; charset=utf-8' })
  const names = json().map(({ name }: { name: string }) => name)
  expect(names).toEqual(Array.from({ length: 401 }, (_, at) => String(at + 1)))
  expect(body).not.toContain('sealed')
  expect(body).not.toContain('accountId')
})

test.each(['limit=0', 'limit=201', 'limit=1.5', 'cursor=1', `cursor=1.${'-'.repeat(36)}`, 'id=1', 'id='])(
  'a list of tokens with %s is rejected',
  async (query) => {
    const [field] = query.split('=')
    const rejected = await careless.call('GET', `/api/tokens?${query}`)
    expect(rejected.json()).toMatchObject({ status: 400, errors: [{ field: expect.stringMatching(`^${field}`) }] })
  },
)

test('a token expires at the end of the day in the owner’s timezone', async () => {
  const ann = await api.register('pro')
  const expiry = async () =>
    (await ann.call('POST', '/api/tokens', { name: 'A', expiresAt: '2099-07-01' })).json().expiresAt
  expect(await expiry()).toBe('2099-07-01T23:59:59.999Z')
  await ann.call('PATCH', '/api/user/preferences', { timezone: 'America/New_York' })
  expect(await expiry()).toBe('2099-07-02T03:59:59.999Z')
  const past = await ann.call('POST', '/api/tokens', { name: 'A', expiresAt: '2020-01-01' })
  expect(past.json()).toMatchObject({ status: 400, errors: [{ field: 'expiresAt' }] })
})

test('a misspelt budget is rejected, and a token can be changed and sent back as it was read', async () => {
  const ann = await api.register('free')
  const misspelt = { name: 'Laptop', dailyBudgetUSD: 1 }
  const rejected = await ann.call('POST', '/api/tokens', misspelt)
  expect(rejected.json()).toMatchObject({ status: 400, errors: [{ field: 'dailyBudgetUSD' }] })
  const { id } = (await ann.call('POST', '/api/tokens', { name: 'Laptop' })).json()
  expect((await ann.call('PATCH', `/api/tokens/${id}`, misspelt)).statusCode).toBe(400)
  const [token] = (await ann.call('GET', '/api/tokens')).json()
  const changed = { ...token, isActive: false, dailyBudgetUsd: 1 }
  const response = await ann.call('PATCH', `/api/tokens/${id}`, { ...changed, usageCount: 9 })
  expect(response.json()).toEqual({ ...changed, dailySpending: { spentUsd: 0, reservedUsd: 0 } })
})

test('restrictions can be set and changed, and the proxy sees them', async () => {
  const ann = await api.register('pro')
  const limits = {
    models: ['gpt-4o'],
    allowedAddresses: ['192.0.2.1', '2001:db8::/32'],
    requestsPerMinute: 60,
    tokensPerMinute: 999_999_999,
    maxConcurrentRequests: 1,
  }
  const restrictions = { ...limits, dailyBudgetUsd: 0.5, monthlyBudgetUsd: 12.3456 }
  const created = (await ann.call('POST', '/api/tokens', { name: 'Laptop', ...restrictions })).json()
  expect(created).toMatchObject(restrictions)
  const credential = async () => createCredentialStore(api.sql).findByTokenHash(hashToken(created.token))
  const budgets = { dailyBudgetNanoUsd: 500_000_000, monthlyBudgetNanoUsd: 12_345_600_000 }
  expect(await credential()).toMatchObject({ ...limits, ...budgets })

  const renamed = await ann.call('PATCH', `/api/tokens/${created.id}`, { name: 'Desk' })
  expect(renamed.json()).toMatchObject({ name: 'Desk', ...restrictions })
  const unrestricted = { ...noLimits, models: [] }
  const freed = await ann.call('PATCH', `/api/tokens/${created.id}`, unrestricted)
  expect(freed.json()).toMatchObject({ name: 'Desk', ...noLimits })
  expect(await credential()).toMatchObject(noRestrictions)
  const off = await ann.call('PUT', `/api/tokens/${created.id}/toggle`, { isActive: false })
  expect(off.json()).toMatchObject({ isActive: false, name: 'Desk' })
})

test('a rotated token has a new secret, and the previous one stays valid for the grace time', async () => {
  const ann = await api.register('pro')
  const created = (await ann.call('POST', '/api/tokens', { name: 'Laptop', maxConcurrentRequests: 2 })).json()
  const path = `/api/tokens/${created.id}`
  const store = createCredentialStore(api.sql)
  const credential = async (token: string) => store.findByTokenHash(hashToken(token))

  const rotated = await ann.call('POST', `${path}/rotate`, { graceHours: 168 })
  expect(rotated.statusCode).toBe(200)
  const { token, ...rest } = rotated.json()
  expect(isWellFormedToken(token)).toBe(true)
  expect(token).not.toBe(created.token)
  expect((await ann.call('GET', `${path}/reveal`)).json()).toEqual({ token })
  const previousSecret = {
    token: `st_••••••••${created.token.slice(-4)}`,
    expiresAt: expect.any(String),
    lastUsed: null,
  }
  expect(rest).toMatchObject({ id: created.id, name: 'Laptop', maxConcurrentRequests: 2, previousSecret })
  const { expiresAt } = rest.previousSecret
  expect(Date.parse(expiresAt) - Date.now()).toBeCloseTo(7 * 86_400_000, -5)
  expect(await credential(token)).toMatchObject({ isPreviousSecret: false, expiresAt: null, tokenId: created.id })
  expect(await credential(created.token)).toMatchObject({ isPreviousSecret: true, expiresAt: new Date(expiresAt) })

  await store.recordPreviousUse(hashToken(created.token))
  const [used] = (await ann.call('GET', '/api/tokens')).json()
  expect(used.previousSecret).toMatchObject({ lastUsed: expect.any(String) })
  const again = await ann.call('POST', `${path}/rotate`, { graceHours: 1 })
  expect(again.json().previousSecret).toMatchObject({ lastUsed: null })
  expect(await credential(created.token)).toBeUndefined()
  expect(await credential(token)).toMatchObject({ isPreviousSecret: true })
  const ended = await ann.call('DELETE', `${path}/previous-secret`)
  expect(ended.json()).toMatchObject({ id: created.id, previousSecret: null })
  expect(await credential(token)).toBeUndefined()
  expect((await ann.call('DELETE', `${path}/previous-secret`)).statusCode).toBe(404)
})

test('a rotation without a grace time ends the previous secret at once', async () => {
  const ann = await api.register('pro')
  const created = (await ann.call('POST', '/api/tokens', { name: 'Laptop' })).json()
  const rotated = await ann.call('POST', `/api/tokens/${created.id}/rotate`, { graceHours: 0 })
  expect(rotated.json()).toMatchObject({ previousSecret: null })
  expect(await createCredentialStore(api.sql).findByTokenHash(hashToken(created.token))).toBeUndefined()
})

test('what is spent of a budget is shown', async () => {
  const ann = await api.register('pro')
  const { id } = (await ann.call('POST', '/api/tokens', { name: 'Laptop', monthlyBudgetUsd: 2 })).json()
  const today = new Date().toISOString().slice(0, 10)
  const key = `{${await ann.accountId()}}:${id}`
  await api.state.set(`spend:${key}:${today.slice(0, 7)}`, 1_500_000_000)
  const soon = Date.now() + 60_000
  await api.state.hset(`holds:${key}:${today}`, { a: `250000000 0 0 ${soon}`, dead: `100000000 0 0 ${soon - 60_001}` })
  const [token] = (await ann.call('GET', '/api/tokens')).json()
  expect(token).toMatchObject({ dailySpending: null, monthlySpending: { spentUsd: 1.5, reservedUsd: 0.25 } })
})

test.each([-1, 169, 0.5, null])('a grace time of %s hours is rejected', async (graceHours) => {
  const ann = await api.register('pro')
  const { id, token } = (await ann.call('POST', '/api/tokens', { name: 'Laptop' })).json()
  const rejected = await ann.call('POST', `/api/tokens/${id}/rotate`, { graceHours })
  expect(rejected.json()).toMatchObject({ status: 400, errors: [{ field: 'graceHours' }] })
  expect((await ann.call('GET', `/api/tokens/${id}/reveal`)).json()).toEqual({ token })
})

test.each([
  [{ name: ' ' }, 'name', 'Please enter a name for your secure token'],
  [{ name: '\u3164\u200b\u2800' }, 'name', 'Please enter a name for your secure token'],
  [{ name: 'bidi \u202e' }, 'name', 'Name must not contain control characters'],
  [{ name: 'nul \u0000' }, 'name', 'Name must not contain control characters'],
  [{ expiresAt: 'soon' }, 'expiresAt', 'Expiry date must be a date'],
  [{ expiresAt: '2026-02-30' }, 'expiresAt', 'Expiry date must be a date'],
  [{ models: [''] }, 'models.0', 'Model must not be empty'],
  [{ monthlyBudgetUsd: -1 }, 'monthlyBudgetUsd', 'Monthly budget must be between 0 and 1000000 USD'],
  [{ monthlyBudgetUsd: 0.00001 }, 'monthlyBudgetUsd', 'Monthly budget must be between 0 and 1000000 USD'],
  [{ expiresAt: '9999-12-31' }, 'expiresAt', 'Expiry date must be before 9999-12-31'],
  [{ dailyBudgetUsd: 1e9 }, 'dailyBudgetUsd', 'Daily budget must be between 0 and 1000000 USD'],
  [{ requestsPerMinute: 0 }, 'requestsPerMinute', 'Requests per minute must be a whole number from 1 to 999999999'],
  [{ requestsPerMinute: 1.5 }, 'requestsPerMinute', 'Requests per minute must be a whole number'],
  [{ tokensPerMinute: 1e9 }, 'tokensPerMinute', 'Tokens per minute must be a whole number'],
  [{ maxConcurrentRequests: -1 }, 'maxConcurrentRequests', 'Requests at once must be a whole number'],
  [{ allowedAddresses: ['300.0.0.1'] }, 'allowedAddresses.0', 'Allowed addresses must be IP addresses or CIDR ranges'],
  [
    { allowedAddresses: ['10.0.0.0/99'] },
    'allowedAddresses.0',
    'Allowed addresses must be IP addresses or CIDR ranges',
  ],
])('rejects %o at its field', async (changes, field, message) => {
  const rejected = await careless.call('POST', '/api/tokens', { name: 'Laptop', ...changes })
  expect(rejected.json()).toMatchObject({ status: 400, errors: [{ field, message: expect.stringContaining(message) }] })
  expect((await careless.call('GET', '/api/tokens')).json()).toEqual([])
})

test('bodies of one token are logged for an hour or a day, or no longer', async () => {
  const ann = await api.register('free')
  const { id, token } = (await ann.call('POST', '/api/tokens', { name: 'Laptop' })).json()
  const path = `/api/tokens/${id}/log-bodies`
  for (const [time, hours] of [
    ['hour', 1],
    ['day', 24],
  ] as const) {
    const { logBodiesUntil } = (await ann.call('POST', path, { for: time })).json()
    expect(Date.parse(logBodiesUntil) - Date.now()).toBeCloseTo(hours * 3_600_000, -5)
    const credential = await createCredentialStore(api.sql).findByTokenHash(hashToken(token))
    expect(credential).toMatchObject({ logBodies: false, logBodiesUntil: new Date(logBodiesUntil) })
  }
  expect((await ann.call('POST', path, { for: 'off' })).json()).toMatchObject({ id, logBodiesUntil: null })
  expect((await ann.call('POST', path, { for: 'ever' })).statusCode).toBe(400)
})
