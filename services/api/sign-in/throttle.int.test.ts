import { expect, test } from 'vitest'
import { password, testApi } from '../test/api.fixture.ts'

const api = await testApi()

/** If Redis is slow, the process counts on its own, so on a busy machine up to twice as many may pass. */
function expectLimited(responses: { statusCode: number }[], status: number, limit: number) {
  const passed = responses.filter(({ statusCode }) => statusCode === status)
  const rejected = responses.filter(({ statusCode }) => statusCode === 429)
  expect(passed.length + rejected.length).toBe(responses.length)
  expect(passed.length).toBeGreaterThanOrEqual(limit)
  expect(passed.length).toBeLessThanOrEqual(2 * limit)
}

test('of many parallel sign-ins with a wrong password, twenty are checked and the others rejected', async () => {
  const ann = await api.register()
  const responses = await Promise.all(Array.from({ length: 200 }, () => ann.signIn('not the password')))
  expectLimited(responses, 401, 20)
  const rejected = responses.find(({ statusCode }) => statusCode === 429)!
  expect(rejected.json().code).toBe('too-many-requests')
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ann.signIn()).statusCode).toBe(429)
})

test('guesses from one address do not lock out other addresses', async () => {
  const ann = await api.register()
  const thief = api.user(ann.username)
  await Promise.all(Array.from({ length: 50 }, () => thief.signIn('not the password')))
  expect((await thief.signIn()).statusCode).toBe(429)
  expect((await ann.signIn()).statusCode).toBe(200)
})

test('guesses of one name from many addresses, and of many names from one address, are limited', async () => {
  const ann = await api.register()
  const ofOneName = () => api.user(ann.username).signIn('not the password')
  expectLimited(await Promise.all(Array.from({ length: 250 }, ofOneName)), 401, 100)

  const thief = api.user()
  const ofManyNames = (_: unknown, at: number) =>
    thief.call('POST', '/api/login', { username: `nobody-${at}`, password: 'not the password' })
  expectLimited(await Promise.all(Array.from({ length: 250 }, ofManyNames)), 401, 100)
})

test('successful sign-ins do not count', async () => {
  const ann = await api.register()
  for (let round = 0; round < 15; round += 1) expect((await ann.signIn()).statusCode).toBe(200)
})

test('taken names can not be enumerated, neither by registering nor by renaming', async () => {
  const ann = await api.register()
  const eve = await api.register()
  const { username, email } = ann
  const body = { username, email: eve.email, firstName: 'Eve', lastName: 'Lee' }
  const register = () => eve.call('POST', '/api/register', { ...body, email, password })
  const rename = () => eve.call('PATCH', '/api/user/profile', body)
  const responses = await Promise.all(Array.from({ length: 100 }, (_, at) => (at % 2 ? register() : rename())))
  expectLimited(responses, 409, 20)
  expect((await rename()).statusCode).toBe(429)
  expect((await api.user().call('POST', '/api/register', { ...body, password })).statusCode).toBe(409)
})

test('free names do not count', async () => {
  const ann = await api.register()
  for (let round = 0; round < 15; round += 1) {
    const body = { username: `${ann.username}-${round}`, email: ann.email, firstName: 'Ann', lastName: 'Lee' }
    expect((await ann.call('PATCH', '/api/user/profile', body)).statusCode).toBe(200)
  }
})

test('password checks within a session and revealed tokens are limited', async () => {
  const ann = await api.register()
  const change = { currentPassword: 'not the password', newPassword: password, confirmPassword: password }
  const guess = () => ann.call('PATCH', '/api/user/password', change)
  expectLimited(await Promise.all(Array.from({ length: 25 }, guess)), 403, 10)
  const { id } = (await ann.call('POST', '/api/tokens', { name: 'Laptop' })).json()
  const reveal = () => ann.call('GET', `/api/tokens/${id}/reveal`)
  expectLimited(await Promise.all(Array.from({ length: 70 }, reveal)), 200, 30)
})

test('without Redis each process counts separately, and users can still sign in', async () => {
  const ann = await api.register()
  api.state.disconnect()
  expect((await ann.signIn()).statusCode).toBe(200)
  const responses = await Promise.all(Array.from({ length: 50 }, () => ann.signIn('not the password')))
  expectLimited(responses, 401, 20)
})
