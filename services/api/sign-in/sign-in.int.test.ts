import { expect, test } from 'vitest'
import { invalidateNothing } from '#store/postgres/account.fixture.ts'
import { createOperatorAccountStore } from '#store/postgres/operator-accounts.ts'
import { password, testApi } from '../test/api.fixture.ts'

const api = await testApi()

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Signs in with a wrong password from a new address. @returns how long the processor worked on it, too */
async function guess(username: string) {
  const start = process.cpuUsage()
  const response = await api.user(username).signIn('not the password')
  const { user, system } = process.cpuUsage(start)
  const { instance: _instance, ...body } = response.json()
  return { status: response.statusCode, body, us: user + system }
}

test('a guess at a known name and at an unknown one can not be distinguished, not even by its time', async () => {
  const ann = await api.register()
  const [known, unknown] = [await guess(ann.username), await guess('nobody')]
  expect(unknown).toMatchObject({ status: known.status, body: known.body })
  expect(known).toMatchObject({ status: 401, body: { code: 'invalid-credentials' } })

  // Alternates, so that load slows both; medians ignore collections of garbage.
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let round = 0; round < 15; round += 1) {
    times.known.push((await guess(ann.username)).us)
    times.unknown.push((await guess(`nobody-${round}`)).us)
  }
  // If unknown names were not hashed, their responses would take a quarter of the time.
  const ratio = median(times.unknown) / median(times.known)
  expect(ratio).toBeGreaterThan(0.6)
  expect(ratio).toBeLessThan(1.6)
})

test('a disabled account is reported only after the right password', async () => {
  const ann = await api.register()
  const operator = createOperatorAccountStore(api.sql, invalidateNothing)
  const account = await operator.find(ann.username)
  await operator.disable(account!.id)
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(401)
  const signIn = (secret: string) => api.user().call('POST', '/api/login', { username: ann.username, password: secret })
  expect((await signIn('wrong password')).json()).toMatchObject({ status: 401, code: 'invalid-credentials' })
  expect((await signIn(password)).json()).toMatchObject({ status: 403, code: 'account-disabled' })
  await operator.enable(account!.id)
  expect((await signIn(password)).statusCode).toBe(200)
})

test('without a mail server, requests for links are rejected', async () => {
  const ann = await api.register()
  expect((await ann.call('GET', '/api/registration')).json()).toEqual({ mode: 'open', sendsMail: false })
  const rejected = { status: 503, code: 'mail-not-configured' }
  expect((await ann.call('POST', '/api/forgot-password', { email: ann.email })).json()).toMatchObject(rejected)
  expect((await ann.call('POST', '/api/user/email-confirmation')).json()).toMatchObject(rejected)
})
