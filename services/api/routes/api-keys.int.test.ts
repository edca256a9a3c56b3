import { expect, test } from 'vitest'
import { minute } from '#core/units.ts'
import { createKeyStateStore } from '#store/redis/key-states.ts'
import { testApi } from '../test/api.fixture.ts'
import { newKey } from '../test/account-writes.fixture.ts'

const api = await testApi()
const states = createKeyStateStore(api.state)

test('a key can be renamed by its owner', async () => {
  const ann = await api.register()
  const { id } = (await ann.call('POST', '/api/keys', newKey)).json()
  const renamed = await ann.call('PATCH', `/api/keys/${id}`, { name: ' Spare ' })
  expect(renamed.json()).toMatchObject({ id, name: 'Spare', isPrimary: true })
  expect((await ann.call('GET', '/api/keys')).json()).toMatchObject([{ name: 'Spare' }])
  const empty = await ann.call('PATCH', `/api/keys/${id}`, { name: ' ' })
  expect(empty.json().errors).toEqual([{ field: 'name', message: 'Please enter a name for your API key' }])
})

test('the state of a key is what the proxies have seen; a later success ends the cooldown', async () => {
  const ann = await api.register()
  const { id } = (await ann.call('POST', '/api/keys', newKey)).json()
  const read = async () => (await ann.call('GET', '/api/keys/states')).json()
  expect(await read()).toEqual([{ id, cooldown: null, limits: null, lastError: null, otherOrigin: null }])

  const atMs = Date.now()
  const failure = { status: 429, message: 'slow down', endpoint: null, atMs, cooldownUntilMs: atMs + minute }
  const limits = { requests: '40', maxRequests: '100', tokens: 'many', observedAtMs: atMs }
  const change = { accountId: await ann.accountId(), keyId: id }
  await states.save([{ ...change, failure, limits }])
  const at = new Date(atMs).toISOString()
  const lastError = { status: 429, message: 'slow down', at }
  const state = { id, limits: { requests: { left: 40, limit: 100 }, tokens: null, at }, lastError, otherOrigin: null }
  const until = new Date(atMs + minute).toISOString()
  expect(await read()).toEqual([{ ...state, cooldown: { until, status: 429, endpoint: null } }])

  await states.save([{ ...change, recoveredAtMs: atMs + 1 }])
  expect(await read()).toEqual([{ ...state, cooldown: null }])

  await ann.call('DELETE', `/api/keys/${id}`)
  expect(await states.list(change.accountId, [id])).toEqual(new Map([[id, {}]]))
})
