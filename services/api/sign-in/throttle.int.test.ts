import { expect, test } from 'vitest'
import { password, testApi } from '../test/api.fixture.ts'

const api = await testApi()

/**
 * So many get through and the others wait. When Redis answers late the process counts for itself, from the start: on a
 * busy machine up to twice as many get through.
 */
function expectLimited(responses: { statusCode: number }[], status: number, limit: number) {
  const passed = responses.filter(({ statusCode }) => statusCode === status)
  const rejected = responses.filter(({ statusCode }) => statusCode === 429)
  expect(passed.length + rejected.length).toBe(responses.length)
  expect(passed.length).toBeGreaterThanOrEqual(limit)
  expect(passed.length).toBeLessThanOrEqual(2 * limit)
}

test('many sign-ins at once with a wrong password: twenty are tried, the others wait', async () => {
  const ann = await api.register()
  const responses = await Promise.all(Array.from({ length: 200 }, () => ann.signIn('not the password')))
  expectLimited(responses, 401, 20)
  const rejected = responses.find(({ statusCode }) => statusCode === 429)!
  expect(rejected.json().code).toBe('too-many-requests')
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ann.signIn()).statusCode).toBe(429)
})

test('the guesses of one address lock nobody out elsewhere', async () => {
  const ann = await api.register()
  const thief = api.user(ann.username)
  await Promise.all(Array.from({ length: 50 }, () => thief.signIn('not the password')))
  expect((await thief.signIn()).statusCode).toBe(429)
  expect((await ann.signIn()).statusCode).toBe(200)
})

test('many addresses can not try one name without end either', async () => {
  const ann = await api.register()
  const responses = await Promise.all(
    Array.from({ length: 250 }, () => api.user(ann.username).signIn('not the password')),
  )
  expectLimited(responses, 401, 100)
})

test('one address can not try many names', async () => {
  const thief = api.user()
  const responses = await Promise.all(
    Array.from({ length: 250 }, (_, at) =>
      thief.call('POST', '/api/login', { username: `nobody-${at}`, password: 'not the password' }),
    ),
  )
  expectLimited(responses, 401, 100)
})

test('rightful sign-ins do not count, however many people share an address', async () => {
  const ann = await api.register()
  for (let round = 0; round < 15; round += 1) expect((await ann.signIn()).statusCode).toBe(200)
})

test('a list of names can not be tried, neither by registering nor by renaming', async () => {
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

test('names that are free are not counted', async () => {
  const ann = await api.register()
  for (let round = 0; round < 15; round += 1) {
    const body = { username: `${ann.username}-${round}`, email: ann.email, firstName: 'Ann', lastName: 'Lee' }
    expect((await ann.call('PATCH', '/api/user/profile', body)).statusCode).toBe(200)
  }
})

test('the password behind a session can not be guessed either', async () => {
  const ann = await api.register()
  const guess = (currentPassword: string) =>
    ann.call('PATCH', '/api/user/password', { currentPassword, newPassword: password, confirmPassword: password })
  const responses = await Promise.all(Array.from({ length: 25 }, () => guess('not the password')))
  expectLimited(responses, 403, 10)
})

test('tokens are not revealed without end', async () => {
  const ann = await api.register()
  const { id } = (await ann.call('POST', '/api/tokens', { name: 'Laptop' })).json()
  const responses = await Promise.all(Array.from({ length: 70 }, () => ann.call('GET', `/api/tokens/${id}/reveal`)))
  expectLimited(responses, 200, 30)
})

test('without Redis each process counts for itself, and people still sign in', async () => {
  const ann = await api.register()
  api.state.disconnect()
  expect((await ann.signIn()).statusCode).toBe(200)
  const responses = await Promise.all(Array.from({ length: 50 }, () => ann.signIn('not the password')))
  expectLimited(responses, 401, 20)
})
