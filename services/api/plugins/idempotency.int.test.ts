import { expect, onTestFinished, test, vi } from 'vitest'
import { errorWithCode } from '#core/errors.ts'
import { hour } from '#core/units.ts'
import { testApi } from '../test/api.fixture.ts'

const api = await testApi()

const named = (name: string, key: string) => ['POST', '/api/tokens', { name }, { 'idempotency-key': key }] as const

test('sent again, also at the same time: one is created, and all get its response with the secret', async () => {
  const user = await api.register('pro')
  const first = await user.call(...named('Backend', 'a'))
  expect(first.statusCode).toBe(201)
  const again = await user.call(...named('Backend', 'a'))
  expect(again.statusCode).toBe(201)
  expect(again.json()).toEqual(first.json())
  expect(again.headers['idempotency-replayed']).toBe('true')

  const burst = await Promise.all(Array.from({ length: 5 }, () => user.call(...named('Burst', 'b'))))
  const codes = burst.map(({ statusCode }) => statusCode)
  expect(codes.every((code) => code === 201 || code === 409)).toBe(true)
  expect((await user.call('GET', '/api/tokens')).json()).toHaveLength(2)
})

test('the secret is not readable in Redis', async () => {
  const user = await api.register('pro')
  const { token } = (await user.call(...named('Backend', 'c'))).json()
  const [key = ''] = await api.state.keys(`sallyport:idempotency:${await user.accountId()}:*`)
  expect((await api.state.getBuffer(key))!.toString('latin1')).not.toContain(token)
  expect(await api.state.pttl(key)).toBeGreaterThan(0)
})

test('the key of another call is rejected; a key of another account is its own', async () => {
  const [ann, bob] = [await api.register('pro'), await api.register('pro')]
  await ann.call(...named('Backend', 'd'))
  expect((await ann.call(...named('Frontend', 'd'))).json()).toMatchObject({
    status: 422,
    code: 'idempotency-mismatch',
  })
  expect((await bob.call(...named('Frontend', 'd'))).json()).toMatchObject({ name: 'Frontend' })
})

test('a call that failed may be tried again with its key', async () => {
  const user = await api.register('pro')
  expect((await user.call(...named('', 'e'))).statusCode).toBe(400)
  expect((await user.call(...named('Backend', 'e'))).statusCode).toBe(201)
})

test('a call whose creation was committed, but not confirmed, creates nothing when it is sent again', async () => {
  const user = await api.register('pro')
  const begin = api.sql.begin.bind(api.sql)
  vi.spyOn(api.sql, 'begin').mockImplementationOnce(async (...call) => {
    await begin(...call)
    throw errorWithCode('CONNECTION_CLOSED', 'The response to COMMIT is lost.')
  })
  const create = () => user.call(...named('Backend', 'g'))
  expect((await create()).statusCode).toBe(503)
  for (let time = 0; time < 2; time += 1) {
    expect((await create()).json()).toMatchObject({ status: 422, code: 'idempotency-mismatch' })
  }
  expect((await user.call('GET', '/api/tokens')).json()).toHaveLength(1)
  expect((await user.call(...named('Backend', 'h'))).statusCode).toBe(201)
})

test('a key may be used again after a day', async () => {
  const user = await api.register('pro')
  await user.call(...named('Backend', 'i'))
  const keys = await api.state.keys(`sallyport:idempotency:${await user.accountId()}:*`)
  await api.state.del(keys)
  await api.sql`update audit_entries set created_at = created_at - interval '25 hours'`
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * hour })
  onTestFinished(() => void vi.useRealTimers())
  expect((await user.call(...named('Backend', 'i'))).statusCode).toBe(201)
})

test('a response whose master key was removed is neither an internal error nor created again', async () => {
  const user = await api.register('pro')
  await user.call(...named('Backend', 'f'))
  const [key = ''] = await api.state.keys(`sallyport:idempotency:${await user.accountId()}:*`)
  const sealed = (await api.state.getBuffer(key))!
  sealed[1] = 99
  await api.state.set(key, sealed)
  expect((await user.call(...named('Backend', 'f'))).json()).toMatchObject({
    status: 422,
    code: 'idempotency-mismatch',
  })
  expect((await user.call('GET', '/api/tokens')).json()).toHaveLength(1)
})

test.each(['', 'x'.repeat(256), 'a b', 'ä'])('the key %j is rejected', async (key) => {
  const user = await api.register('pro')
  expect((await user.call(...named('Backend', key))).statusCode).toBe(400)
})
