import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { modelPrice, newAlert, newView, newWebhook, newKey } from '../test/account-writes.fixture.ts'
import { password, testApi, type TestUser } from '../test/api.fixture.ts'

const api = await testApi()

interface Entry {
  id: string
  action: string
  subject: string | null
}
const history = async (user: TestUser, query = ''): Promise<Entry[]> =>
  (await user.call('GET', `/api/user/audit${query}`)).json()

test('the audit trail has every change of an account with its source, newest first', async () => {
  const ann = await api.register('pro')
  const key = (await ann.call('POST', '/api/keys', newKey)).json()
  await ann.call('PUT', `/api/keys/${key.id}/primary`)
  await ann.call('PATCH', `/api/keys/${key.id}`, { name: 'Spare' })
  await ann.call('DELETE', `/api/keys/${key.id}`)
  const token = (await ann.call('POST', '/api/tokens', { name: 'Laptop' })).json()
  await ann.call('PUT', `/api/tokens/${token.id}/toggle`, { isActive: false })
  await ann.call('PATCH', `/api/tokens/${token.id}`, { name: 'Desk' })
  await ann.call('GET', `/api/tokens/${token.id}/reveal`)
  await ann.call('POST', `/api/tokens/${token.id}/rotate`, { graceHours: 1 })
  await ann.call('DELETE', `/api/tokens/${token.id}/previous-secret`)
  for (const time of ['day', 'off']) await ann.call('POST', `/api/tokens/${token.id}/log-bodies`, { for: time })
  await ann.call('DELETE', `/api/tokens/${token.id}`)
  for (const change of [{ theme: 'dark' }, { securityAlerts: false }])
    await ann.call('PATCH', '/api/user/preferences', change)
  const { username, email } = ann
  await ann.call('PATCH', '/api/user/profile', { firstName: 'A', lastName: 'L', username, email })
  await ann.call('POST', '/api/proxy/config', { baseUrl: 'http://127.0.0.1:2' })
  const price = (await ann.call('POST', '/api/model-prices', modelPrice)).json()
  await ann.call('PUT', `/api/model-prices/${price.id}`, { ...modelPrice, pattern: 'llama-*' })
  await ann.call('DELETE', `/api/model-prices/${price.id}`)
  const view = (await ann.call('POST', '/api/views', newView)).json()
  await ann.call('PUT', `/api/views/${view.id}`, { ...newView, name: 'Slow' })
  await ann.call('DELETE', `/api/views/${view.id}`)
  const webhook = (await ann.call('POST', '/api/webhooks', newWebhook)).json()
  const alert = (await ann.call('POST', '/api/alerts', newAlert)).json()
  await ann.call('PATCH', `/api/alerts/${alert.id}`, { name: 'Failures' })
  await ann.call('DELETE', `/api/alerts/${alert.id}`)
  await ann.call('DELETE', `/api/webhooks/${webhook.id}`)
  const changed = 'a new long secret'
  const change = { currentPassword: password, newPassword: changed, confirmPassword: changed }
  await ann.call('PATCH', '/api/user/password', change)
  await ann.call('POST', '/api/logout')
  await ann.signIn(changed)

  const entries = await history(ann)
  expect(entries.map(({ action, subject }) => [action, subject]).toReversed()).toEqual([
    ['account-created', ann.username],
    ['api-key-created', 'Main'],
    ['api-key-made-primary', 'Main'],
    ['api-key-renamed', 'Spare'],
    ['api-key-deleted', 'Spare'],
    ['secure-token-created', 'Laptop'],
    ['secure-token-changed', 'Laptop'],
    ['secure-token-changed', 'Desk'],
    ['secure-token-revealed', 'Desk'],
    ['secure-token-rotated', 'Desk'],
    ['previous-secret-ended', 'Desk'],
    ['token-bodies-logged', 'Desk'],
    ['token-bodies-ended', 'Desk'],
    ['secure-token-deleted', 'Desk'],
    ['preferences-changed', null],
    ['security-alerts-disabled', null],
    ['profile-changed', ann.username],
    ['proxy-config-changed', 'http://127.0.0.1:2'],
    ['model-price-created', 'mistral-*'],
    ['model-price-changed', 'llama-*'],
    ['model-price-deleted', 'llama-*'],
    ['view-created', 'Rejected'],
    ['view-changed', 'Slow'],
    ['view-deleted', 'Slow'],
    ['webhook-created', 'Pager'],
    ['alert-created', 'Errors'],
    ['alert-changed', 'Failures'],
    ['alert-deleted', 'Failures'],
    ['webhook-deleted', 'Pager'],
    ['password-changed', null],
    ['signed-out', 'Firefox on Linux'],
    ['signed-in', 'Firefox on Linux'],
  ])
  expect(entries[0]).toMatchObject({ clientAddress: ann.address, userAgent: ann.userAgent })

  const limit = Math.ceil(entries.length / 2)
  const pages = [await history(ann, `?limit=${limit}`)]
  pages.push(await history(ann, `?limit=${limit}&before=${pages[0]!.at(-1)!.id}`))
  expect(pages.flat()).toEqual(entries)
})

test('the first sign-in from a new device or network is marked', async () => {
  const ann = await api.register()
  const phone = api.user(ann.username)
  await phone.signIn()
  await phone.signIn()
  phone.userAgent = 'curl/8.5.0'
  await phone.signIn()
  await ann.signIn()
  expect((await history(ann)).map(({ action }) => action)).toEqual([
    'signed-in',
    'signed-in-from-new-device',
    'signed-in',
    'signed-in-from-new-device',
    'account-created',
  ])
})

test('entries that only a newer release knows are left out', async () => {
  const ann = await api.register()
  await api.sql`insert into audit_entries (account_id, action) values (${await ann.accountId()}, 'of-a-newer-release')`
  expect((await history(ann)).map(({ action }) => action)).toEqual(['account-created'])
})

test('other accounts can not read the audit trail', async () => {
  const [ann, bob] = [await api.register(), await api.register()]
  const [entry] = await history(ann)
  expect(await history(bob, `?before=${entry!.id}`)).toEqual([])
  expect((await bob.call('GET', '/api/user/audit/export')).body).not.toContain(ann.username)
  expect((await api.user().call('GET', '/api/user/audit')).statusCode).toBe(401)
})

test('the export is CSV without formulas', async () => {
  const ann = await api.register()
  const names = ['=HYPERLINK("http://evil.test")', '+1', '-1', '@SUM(A1)', 'quoted "name", with comma']
  for (const name of names) await ann.call('POST', '/api/keys', { name, key: 'sk-0123456789abcdef' })
  ann.userAgent = '\t=cmd'
  await ann.call('PATCH', '/api/user/preferences', { theme: 'dark' })
  const response = await ann.call('GET', '/api/user/audit/export')
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(response.headers['content-disposition']).toContain('attachment')
  const lines = response.body.trimEnd().split('\r\n')
  expect(lines[0]).toBe('createdAt,action,subject,clientAddress,userAgent,id')
  expect(lines).toHaveLength(1 + 7)
  const formulas = [`"'=HYPERLINK(""http://evil.test"")"`, "'+1", "'-1", "'@SUM(A1)"]
  for (const cell of [...formulas, '"quoted ""name"", with comma"']) expect(response.body).toContain(`,${cell},`)
  expect(response.body).not.toMatch(/(?:^|,)"?[=+@\t-]/m)
})

test('an export that its client does not read holds no connection to Postgres, and is complete in the end', async () => {
  const ann = await api.register()
  const { sql, app } = api
  await sql`insert into audit_entries (account_id, action, subject)
    select ${await ann.accountId()}, 'signed-in', repeat('x', 1000) from generate_series(1, 999)`
  const url = '/api/user/audit/export'
  const open = () => app.inject({ url, payloadAsStream: true, headers: { cookie: ann.cookie } })
  const unread = await open()
  await expect
    .poll(
      () => sql`select query from pg_stat_activity where datname = current_database()
        and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`,
    )
    .toEqual([])
  const abandoned = await open()
  expect((await ann.call('GET', url)).statusCode).toBe(429)
  abandoned.raw.res.destroy()
  await expect.poll(async () => (await ann.call('GET', url)).statusCode).toBe(200)
  const [, ...lines] = (await text(unread.stream())).trimEnd().split('\r\n')
  expect(lines).toHaveLength(1_000)
  expect(new Set(lines.map((line) => line.split(',').at(-1))).size).toBe(1_000)
})
