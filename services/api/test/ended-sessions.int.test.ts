import { Readable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createInvalidation } from '#shared/invalidation.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { storeEvents } from '#store/clickhouse/logs/stored-logs.fixture.ts'
import { password, testApi, type TestUser } from './api.fixture.ts'

const api = await testApi()
const url = await api.app.listen({ port: 0, host: '127.0.0.1' })

/** Opens the live tail of a browser. @returns a function that tells whether it has ended */
async function openTail({ cookie }: TestUser): Promise<() => boolean> {
  const response = await fetch(`${url}/api/logs/tail`, { headers: { cookie } })
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

const ends: Record<string, (browsers: Browsers) => Promise<unknown>> = {
  'a sign-out': ({ there }) => there.call('POST', '/api/logout'),
  'a change of the password in another browser': ({ here }) => {
    const newPassword = 'another fine password'
    const change = { currentPassword: password, newPassword, confirmPassword: newPassword }
    return here.call('PATCH', '/api/user/password', change)
  },
  'the session being ended in another browser': async ({ there, here }) =>
    here.call('DELETE', `/api/user/sessions/${await idOf(there)}`),
  'all other sessions being ended': ({ here }) => here.call('DELETE', '/api/user/sessions'),
  'the account being deleted': ({ here }) => here.call('DELETE', '/api/user/account'),
  'the account being disabled': async ({ here: { username } }) => {
    const [account] = await api.sql`
      update accounts set disabled_at = now() where username = ${username} returning id`
    await createInvalidation(api.state, pino({ level: 'silent' }))(account!['id'])
  },
}

describe('row 57: an open tail ends with its session', () => {
  test.each(Object.keys(ends))('%s', async (name) => {
    const there = await api.register()
    const here = api.user(there.username)
    await here.signIn()
    const hasEnded = await openTail(there)
    const strangerHasEnded = await openTail(await api.register())
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
