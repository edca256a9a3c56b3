import { expect, test } from 'vitest'
import { z } from 'zod'
import { Person, testApi } from './api.fixture.ts'

const api = await testApi()
const ann = await new Person(api.app).register()
const annId = await ann.accountId()
const bob = await new Person(api.app).register()
const bobId = await bob.accountId()

const Operation = z.object({ security: z.array(z.record(z.string(), z.unknown())).optional() })
const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })
  .parse((await api.app.inject('/api/openapi.json')).json())
const ofAccounts = Object.entries(paths)
  .filter(([path]) => !path.startsWith('/api/proxy/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.some((way) => 'session' in way))
      .map(([method]) => ({ method: method.toUpperCase() as 'GET', path: path.replaceAll(/\{\w+\}/g, annId) })),
  )
const calls = [...ofAccounts, { method: 'GET', path: '/api/user' }, { method: 'POST', path: '/api/logout' }] as const

test.each(calls)('$method $path is not answered to a page of another account', async ({ method, path }) => {
  for (const [url, headers] of [
    [path, { 'x-sallyport-account': annId }],
    [`${path}?account=${annId}`, {}],
  ] as const) {
    const answer = await bob.call(method, url, undefined, headers)
    expect([answer.statusCode, answer.json().code], answer.body).toEqual([409, 'other_account'])
  }
  expect(await bob.accountId()).toBe(bobId)
})

test('its own account is answered, and so is who names none', async () => {
  for (const path of ['/api/user', '/api/keys', '/api/logs?limit=5', '/api/logs/export?format=csv']) {
    const link = `${path}${path.includes('?') ? '&' : '?'}account=${bobId}`
    const answers = [
      await bob.call('GET', path, undefined, { 'x-sallyport-account': bobId }),
      await bob.call('GET', link),
      await bob.call('GET', path),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  }
})
