import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, password, Person, type TestApi } from './api.fixture.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const statuses = (answers: { statusCode: number }[]) => {
  const counts: Record<number, number> = {}
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

test('many sign-ins at once with a wrong password: twenty are tried, the others wait', async () => {
  const ann = await new Person(api.app).register()
  const answers = await Promise.all(Array.from({ length: 200 }, () => ann.signIn('not the password')))
  expect(statuses(answers)).toEqual({ 401: 20, 429: 180 })
  const refused = answers.find(({ statusCode }) => statusCode === 429)!
  expect(refused.json().code).toBe('too-many-requests')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ann.signIn()).statusCode).toBe(429)
})

test('the guesses of one address lock nobody out elsewhere', async () => {
  const ann = await new Person(api.app).register()
  const thief = new Person(api.app, ann.username)
  await Promise.all(Array.from({ length: 30 }, () => thief.signIn('not the password')))
  expect((await thief.signIn()).statusCode).toBe(429)
  expect((await ann.signIn()).statusCode).toBe(200)
})

test('one address can not try many names', async () => {
  const thief = new Person(api.app)
  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, at) =>
      thief.call('POST', '/api/login', { username: `nobody-${at}`, password: 'not the password' }),
    ),
  )
  expect(statuses(answers)).toEqual({ 401: 100, 429: 50 })
})

test('rightful sign-ins do not count, however many people share an address', async () => {
  const ann = await new Person(api.app).register()
  for (let round = 0; round < 15; round += 1) expect((await ann.signIn()).statusCode).toBe(200)
})

test('the password behind a session can not be guessed either', async () => {
  const ann = await new Person(api.app).register()
  const guess = (currentPassword: string) =>
    ann.call('PATCH', '/api/user/password', { currentPassword, newPassword: password, confirmPassword: password })
  const answers = await Promise.all(Array.from({ length: 15 }, () => guess('not the password')))
  expect(statuses(answers)).toEqual({ 403: 10, 429: 5 })
})

test('tokens are not revealed without end', async () => {
  const ann = await new Person(api.app).register()
  const { id } = (await ann.call('POST', '/api/tokens', { name: 'Laptop' })).json()
  const answers = await Promise.all(Array.from({ length: 40 }, () => ann.call('GET', `/api/tokens/${id}/reveal`)))
  expect(statuses(answers)).toEqual({ 200: 30, 429: 10 })
})

test('without Redis each process counts for itself, and people still sign in', async () => {
  const ann = await new Person(api.app).register()
  api.state.disconnect()
  expect((await ann.signIn()).statusCode).toBe(200)
  const answers = await Promise.all(Array.from({ length: 30 }, () => ann.signIn('not the password')))
  expect(statuses(answers)).toEqual({ 401: 20, 429: 10 })
})
