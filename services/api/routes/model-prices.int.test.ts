import { expect, test } from 'vitest'
import { hashToken } from '#shared/secure-token.ts'
import { createCredentialStore } from '#store/postgres/credentials/credentials.ts'
import { modelPrice } from '../test/account-writes.fixture.ts'
import { testApi, type TestUser } from '../test/api.fixture.ts'

const api = await testApi()
const path = '/api/model-prices'
/** Prices that may be omitted. */
const asUsual = { cacheWrite: null, audioInput: null, longPrompts: null }
const prices = async (user: TestUser) => (await user.call('GET', path)).json()

test('prices are listed, added, changed and deleted, and loaded with a credential', async () => {
  const ann = await api.register()
  expect(await prices(ann)).toEqual([])
  const { token } = (await ann.call('POST', '/api/tokens', { name: 'Laptop' })).json()
  const loaded = async () => (await createCredentialStore(api.sql).findByTokenHash(hashToken(token)))!.modelPrices
  expect(await loaded()).toEqual([])

  const added = await ann.call('POST', path, modelPrice)
  const stored = { ...modelPrice, ...asUsual, id: added.json().id, validFrom: expect.any(String) }
  expect([added.statusCode, added.json()]).toEqual([201, stored])
  const fine = {
    pattern: 'gpt-image',
    input: 0.000_001,
    cachedInput: 0.018_75,
    output: 10_000,
    perRequest: 0.04,
    cacheWrite: 3.75,
    audioInput: 1,
    longPrompts: { aboveTokens: 200_000, input: 2.5, output: 0.000_015 },
  }
  await ann.call('POST', path, fine)
  expect(await prices(ann)).toMatchObject([fine, modelPrice])
  expect(await loaded()).toEqual(expect.arrayContaining([fine, { ...modelPrice, ...asUsual }]))

  const changed = { ...fine, pattern: 'mistral-large-*', longPrompts: { ...fine.longPrompts, input: 4 } }
  const response = await ann.call('PUT', `${path}/${stored.id}`, changed)
  expect([response.statusCode, response.json()]).toEqual([200, { ...stored, ...changed }])
  expect((await ann.call('PUT', `${path}/${stored.id}`, modelPrice)).json()).toMatchObject(asUsual)
  expect(response.json().validFrom > added.json().validFrom).toBe(true)
  expect((await ann.call('DELETE', `${path}/${stored.id}`)).statusCode).toBe(204)
  expect(await prices(ann)).toMatchObject([fine])
  expect((await ann.call('PUT', `${path}/${stored.id}`, changed)).statusCode).toBe(404)
  expect((await ann.call('DELETE', `${path}/${stored.id}`)).statusCode).toBe(404)
})

test('a model has one price: a second one is rejected at its field', async () => {
  const ann = await api.register()
  await ann.call('POST', path, modelPrice)
  const { id } = (await ann.call('POST', path, { ...modelPrice, pattern: 'llama-*' })).json()
  for (const response of [
    await ann.call('POST', path, { ...modelPrice, pattern: ' mistral-* ' }),
    await ann.call('PUT', `${path}/${id}`, modelPrice),
  ]) {
    const errors = [{ field: 'pattern', message: 'This model or pattern already has a price' }]
    expect(response.json()).toMatchObject({ status: 409, code: 'price-exists', errors })
  }
  expect((await (await api.register()).call('POST', path, modelPrice)).statusCode).toBe(201)
})

test('impossible prices are rejected at their fields', async () => {
  const ann = await api.register()
  const body = `{"pattern":"","input":-1,"cachedInput":1e309,"output":1234567890,"perRequest":null,"longPrompts":{"aboveTokens":0,"input":1,"outputs":1}}`
  const response = await ann.call('POST', path, body, { 'content-type': 'application/json' })
  expect(response.statusCode).toBe(400)
  const fields = response.json().errors.map(({ field }: { field: string }) => field)
  expect(fields).toEqual([
    'pattern',
    'input',
    'cachedInput',
    'output',
    'longPrompts.aboveTokens',
    'longPrompts.output',
    'outputs',
  ])
  expect(await prices(ann)).toEqual([])
})
