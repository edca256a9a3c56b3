import { expect, test } from 'vitest'
import { testApi } from './api.fixture.ts'
import { controlPlaneOperations } from './operations.fixture.ts'

const api = await testApi()
const ann = await api.register()
const annId = await ann.accountId()
const bob = await api.register()
const bobId = await bob.accountId()

const ofAccounts = (await controlPlaneOperations(api))
  .filter(({ operation }) => operation.security?.some((scheme) => 'session' in scheme))
  .map(({ method, path }) => ({ method, path: path.replaceAll(/\{\w+\}/g, annId) }))
const calls = [...ofAccounts, { method: 'GET', path: '/api/user' }, { method: 'POST', path: '/api/logout' }] as const

test.each(calls)('$method $path rejects a page of another account', async ({ method, path }) => {
  for (const [url, headers] of [
    [path, { 'x-sallyport-account': annId }],
    [`${path}?account=${annId}`, {}],
  ] as const) {
    const response = await bob.call(method, url, undefined, headers)
    expect([response.statusCode, response.json().code], response.body).toEqual([409, 'other_account'])
  }
  expect(await bob.accountId()).toBe(bobId)
})

test('requests that name their own account or none succeed', async () => {
  for (const path of ['/api/user', '/api/keys', '/api/logs?limit=5', '/api/logs/export?format=csv']) {
    const link = `${path}${path.includes('?') ? '&' : '?'}account=${bobId}`
    const responses = [
      await bob.call('GET', path, undefined, { 'x-sallyport-account': bobId }),
      await bob.call('GET', link),
      await bob.call('GET', path),
    ]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  }
})
