import { Readable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { minute } from '#core/units.ts'
import { createInvalidation } from '#shared/invalidation.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { storeEvents } from '#store/clickhouse/logs/stored-logs.fixture.ts'
import { createOperatorAccountStore } from '#store/postgres/operator-accounts.ts'
import { issueLink } from '#store/postgres/sign-in/one-time-links.ts'
import { password, testApi, type TestUser } from './api.fixture.ts'

const api = await testApi()
const url = await api.app.listen({ port: 0, host: '127.0.0.1' })

/** Opens a live tail. @param headers sign it in. @returns a function that tells whether it has ended */
async function openTail(headers: Record<string, string>): Promise<() => boolean> {
  const response = await fetch(`${url}/api/logs/tail`, { headers })
  expect(response.status).toBe(200)
  let hasEnded = false
  const end = () => void (hasEnded = true)
  response.text().then(end, end)
  return () => hasEnded
}

async function idOf(user: TestUser): Promise<string> {
  const sessions: { id: string; current: boolean }[] = (await user.call('GET', '/api/user/sessions')).json()
  return sessions.find(({ current }) => current)!.id
}

/** Opens an export whose client reads nothing. @returns a function that tells whether it has ended */
async function openExport(user: TestUser): Promise<() => boolean> {
  const accountId = await user.accountId()
  const events = Array.from({ length: 3_000 }, () => requestEvent({ accountId }))
  await storeEvents(api.clickhouse, events)
  const { statusCode, raw } = await api.app.inject({
    url: '/api/logs/export',
    headers: { cookie: user.cookie },
    payloadAsStream: true,
  })
  expect(statusCode).toBe(200)
  onTestFinished(() => void raw.res.destroy())
  return () => raw.res.destroyed
}

interface Browsers {
  /** The tail is open in `there`; `here` is another browser. */
  there: TestUser
  here: TestUser
}

const operator = createOperatorAccountStore(api.sql, createInvalidation(api.state, pino({ level: 'silent' })))
const newPassword = 'another fine password'

/** @returns the secret of a link that was mailed to the user */
const linkTo = (accountId: string, { email }: TestUser, purpose: 'email-changed' | 'reset-password') =>
  issueLink(api.sql, accountId, { purpose, email, validMs: minute })

const ends: Record<string, (browsers: Browsers) => Promise<unknown>> = {
  'a sign-out': ({ there }) => there.call('POST', '/api/logout'),
  'a change of the password in another browser': ({ here }) => {
    const change = { currentPassword: password, newPassword, confirmPassword: newPassword }
    return here.call('PATCH', '/api/user/password', change)
  },
  'the session being ended in another browser': async ({ there, here }) =>
    here.call('DELETE', `/api/user/sessions/${await idOf(there)}`),
  'all other sessions being ended': ({ here }) => here.call('DELETE', '/api/user/sessions'),
  'the account being deleted': ({ here }) => here.call('DELETE', '/api/user/account'),
  'the account being disabled': async ({ here }) => operator.disable(await here.accountId()),
  'the password being reset on the server': async ({ here }) =>
    operator.resetPassword(await here.accountId(), 'none', true),
  'the password being reset by a link': async ({ here }) => {
    const accountId = await here.accountId()
    await api.sql`update accounts set email_confirmed_at = now() where id = ${accountId}`
    const secret = await linkTo(accountId, here, 'reset-password')
    return here.call('POST', '/api/reset-password', { secret, newPassword, confirmPassword: newPassword })
  },
  'a change of the email address being undone': async ({ here }) => {
    const accountId = await here.accountId()
    await api.sql`
      insert into email_changes (account_id, old_email, old_email_key, expires_at)
      values (${accountId}, ${here.email}, ${here.email}, now() + interval '1 hour')`
    return here.call('POST', '/api/email-change/undo', { token: await linkTo(accountId, here, 'email-changed') })
  },
}

describe('row 57: an open tail ends with its session', () => {
  test.each(Object.keys(ends))('%s', async (name) => {
    const there = await api.register()
    const here = api.user(there.username)
    await here.signIn()
    const hasEnded = await openTail({ cookie: there.cookie })
    const strangerHasEnded = await openTail({ cookie: (await api.register()).cookie })
    expect(hasEnded()).toBe(false)
    await ends[name]!({ there, here })
    await expect.poll(hasEnded).toBe(true)
    expect(strangerHasEnded()).toBe(false)
  })
})

test.each(Object.keys(ends))('a change whose body arrives after %s is rejected', async (name) => {
  const there = await api.register()
  const here = api.user(there.username)
  await here.signIn()
  const headers = { cookie: there.cookie, 'content-type': 'application/json' }
  async function* body() {
    await ends[name]!({ there, here })
    yield JSON.stringify({ name: 'kept', scopes: ['account:write'] })
  }
  const request = { method: 'POST', url: '/api/user/management-keys', headers } as const
  const response = await api.app.inject({ ...request, payload: Readable.from(body()) })
  expect(response.json()).toMatchObject({ status: 401, code: 'unauthorized' })
})

test('a tail and a change of a management key end when it is deleted', async () => {
  const ann = await api.register()
  const wanted = { name: 'CI', scopes: ['logs:read', 'credentials:write'] }
  const { id, key } = (await ann.call('POST', '/api/user/management-keys', wanted)).json()
  const authorization = `Bearer ${key}`
  const hasEnded = await openTail({ authorization })
  async function* body() {
    await ann.call('DELETE', `/api/user/management-keys/${id}`)
    yield JSON.stringify({ name: 'Laptop' })
  }
  const request = {
    method: 'POST',
    url: '/api/tokens',
    headers: { authorization, 'content-type': 'application/json' },
  } as const
  const response = await api.app.inject({ ...request, payload: Readable.from(body()) })
  expect(response.json()).toMatchObject({ status: 401, code: 'unauthorized' })
  await expect.poll(hasEnded).toBe(true)
})

test('an export that a client reads slowly ends with its session', async () => {
  const there = await api.register()
  const here = api.user(there.username)
  await here.signIn()
  const hasEnded = await openExport(there)
  const strangerHasEnded = await openExport(await api.register())
  await here.call('DELETE', '/api/user/sessions')
  await expect.poll(hasEnded).toBe(true)
  expect(strangerHasEnded()).toBe(false)
})
