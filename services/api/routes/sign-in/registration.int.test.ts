import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createInviteStore } from '#store/postgres/sign-in/invites.ts'
import { openTestApi, password, type TestApi, type TestUser } from '../../test/api.fixture.ts'

let api: TestApi

const register = (user: TestUser, more: object = {}) => {
  const { username, email } = user
  return user.call('POST', '/api/register', { username, email, password, ...more })
}

test('closed: registration is rejected, and the mode is public', async () => {
  api = await openTestApi({ REGISTRATION: 'closed' })
  onTestFinished(() => api.close())
  const ann = api.user()
  expect((await ann.call('GET', '/api/registration')).json()).toEqual({ mode: 'closed', sendsMail: false })
  expect((await register(ann)).json()).toMatchObject({ status: 403, code: 'registration-closed' })
})

describe('invite', () => {
  beforeAll(async () => void (api = await openTestApi({ REGISTRATION: 'invite' })))
  afterAll(() => api.close())

  test('a code works for one account, before it expires and for its address', async () => {
    const invites = createInviteStore(api.sql)
    const [ann, ben] = [api.user(), api.user()]
    const rejected = { status: 403, code: 'invite-invalid', errors: [{ field: 'inviteCode' }] }
    expect((await ann.call('GET', '/api/registration')).json()).toEqual({ mode: 'invite', sendsMail: false })
    expect((await register(ann)).json()).toMatchObject(rejected)
    expect((await register(ann, { inviteCode: 'made-up' })).json()).toMatchObject(rejected)

    const expired = await invites.create({ email: undefined, validDays: 0 })
    expect((await register(ann, { inviteCode: expired })).json()).toMatchObject(rejected)

    await api.sql`update invites set expires_at = now() - interval '1 day'`
    const forAnn = await invites.create({ email: ann.email.toUpperCase(), validDays: 7 })
    expect((await register(ben, { inviteCode: forAnn })).json()).toMatchObject(rejected)
    expect((await register(ann, { inviteCode: forAnn })).statusCode).toBe(201)
    expect((await register(ben, { inviteCode: forAnn })).json()).toMatchObject(rejected)
    expect(await api.sql`select email_key from invites where used_at is not null`).toEqual([{ email_key: ann.email }])
  })

  test('a taken name does not use up the code, and parallel registrations can not share it', async () => {
    const invites = createInviteStore(api.sql)
    const ann = api.user()
    await register(ann, { inviteCode: await invites.create({ email: undefined, validDays: 7 }) })

    const inviteCode = await invites.create({ email: undefined, validDays: 7 })
    const taken = await register(api.user(ann.username), { email: 'other@example.com', inviteCode })
    expect(taken.json()).toMatchObject({ status: 409, code: 'username-taken' })
    const responses = await Promise.all(Array.from({ length: 4 }, () => register(api.user(), { inviteCode })))
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 403, 403, 403])
  })
})
