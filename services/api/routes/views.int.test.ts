import { expect, test } from 'vitest'
import { newView } from '../test/account-writes.fixture.ts'
import { testApi, type TestUser } from '../test/api.fixture.ts'

const api = await testApi()
const careless = await api.register()
const path = '/api/views'
const views = async (user: TestUser) => (await user.call('GET', path)).json()

test('views are saved, listed by name, read, changed and deleted, by their account only', async () => {
  const [ann, bob] = [await api.register(), await api.register()]
  expect(await views(ann)).toEqual([])

  const saved = await ann.call('POST', path, newView)
  const view = { ...newView, id: saved.json().id }
  expect([saved.statusCode, saved.json()]).toEqual([201, view])
  const columns = { range: '7d', compare: true, hidden: ['model', 'key'], widths: { model: 120 } }
  const other = { screen: 'analytics', name: 'By customer', search: columns }
  await ann.call('POST', path, other)
  expect(await views(ann)).toMatchObject([other, view])
  expect((await ann.call('GET', `${path}/${view.id}`)).json()).toEqual(view)

  expect(await views(bob)).toEqual([])
  expect((await bob.call('POST', path, newView)).statusCode).toBe(201)

  const changed = { name: 'Slow', search: { minTime: 1_000 } }
  const response = await ann.call('PUT', `${path}/${view.id}`, { ...changed, screen: 'analytics' })
  expect([response.statusCode, response.json()]).toEqual([200, { ...view, ...changed }])
  expect((await ann.call('DELETE', `${path}/${view.id}`)).statusCode).toBe(204)
  expect((await ann.call('GET', `${path}/${view.id}`)).statusCode).toBe(404)
  expect(await views(ann)).toMatchObject([other])
})

test('a name belongs to one view of a screen', async () => {
  const ann = await api.register()
  await ann.call('POST', path, newView)
  expect((await ann.call('POST', path, { ...newView, screen: 'analytics' })).statusCode).toBe(201)
  const { id } = (await ann.call('POST', path, { ...newView, name: 'Slow' })).json()
  for (const response of [
    await ann.call('POST', path, { ...newView, name: ' Rejected ' }),
    await ann.call('PUT', `${path}/${id}`, newView),
  ]) {
    const errors = [{ field: 'name', message: 'Another view has this name' }]
    expect(response.json()).toMatchObject({ status: 409, code: 'view-exists', errors })
  }
})

test.each([
  ['screen', { ...newView, screen: 'profile' }],
  ['name', { ...newView, name: ' ' }],
  ['name', { ...newView, name: 'x'.repeat(61) }],
  ['search', { ...newView, search: { search: 'x'.repeat(9_000) } }],
  ['search.tag', { ...newView, search: { tag: [['nested']] } }],
])('a view with an invalid %s is rejected', async (field, body) => {
  const response = await careless.call('POST', path, body)
  expect([response.statusCode, response.json().errors[0].field]).toEqual([400, field])
})

test('every text can be kept in a view', async () => {
  const ann = await api.register()
  const search = { search: 'a\u0000b \ud800 \u202e 👩‍👩‍👧‍👦' }
  const saved = await ann.call('POST', path, { ...newView, search })
  expect([saved.statusCode, saved.json().search]).toEqual([201, search])
})
