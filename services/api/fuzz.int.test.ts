import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openTestApi, Person } from './api.fixture.ts'
import { inputOf, Operation } from './arbitrary-input.fixture.ts'

/** Random inputs a route; `FUZZ_RUNS=10000` for the long run. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 200)
const msPerRun = 1_000

const api = await openTestApi()
afterAll(() => api.close())

const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })
  .parse((await api.app.inject('/api/openapi.json')).json())
const operations = Object.entries(paths)
  .filter(([path]) => !path.startsWith('/api/proxy/v1/'))
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })))

/** Words that only the other account has. */
const secret = 'canary'
const ann = await new Person(api.app, `${secret}-ann`).register()
await ann.call('POST', '/api/keys', { name: `${secret} key`, key: `sk-${secret}-0123456789` })
await ann.call('POST', '/api/tokens', { name: `${secret} token` })
const snapshot = async () =>
  Promise.all(
    ['user', 'keys', 'tokens', 'proxy/config', 'user/preferences'].map(async (path) =>
      (await ann.call('GET', `/api/${path}`)).json(),
    ),
  )

/** Somebody with one of everything that has an id. */
async function newcomer(): Promise<Person> {
  const person = await new Person(api.app).register()
  await api.sql`update accounts set plan = 'enterprise' where username = ${person.username}`
  await person.call('POST', '/api/keys', { name: 'Main', key: 'sk-0123456789abcdef' })
  await person.call('POST', '/api/tokens', { name: 'Laptop' })
  return person
}

/** @returns an id of the list that a path is about, if there is one */
async function ownId(person: Person, path: string): Promise<string | undefined> {
  const list = /^(\/api\/(?:keys|tokens|user\/sessions|logs))\/\{id\}/.exec(path)?.[1]
  return list && (await person.call('GET', list)).json().at(-1)?.id
}

test.each(operations)(
  '$method $path answers whatever it is sent, without a failure and with nothing of others',
  async ({ method, path, operation }) => {
    const before = await snapshot()
    let bob = await newcomer()
    const input = inputOf(operation)
    const isVaried = operation.parameters.length > 0 || operation.requestBody !== undefined
    await fc.assert(
      fc.asyncProperty(input, async ({ params, isOwn, query, body }) => {
        if (isOwn) params.id = (await ownId(bob, path)) ?? params.id!
        const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
        const payload = body === undefined ? undefined : JSON.stringify(body)
        const type: Record<string, string> = payload === undefined ? {} : { 'content-type': 'application/json' }
        const answer = await bob.call(method.toUpperCase() as 'GET', query ? `${url}?${query}` : url, payload, type)
        const isConfigured = !answer.body.includes('payments-not-configured')
        if (isConfigured) expect(answer.statusCode, answer.body).toBeLessThan(500)
        expect(answer.body).not.toMatch(/\n {4}at |node_modules|\.ts:\d/)
        expect(answer.body).not.toContain(secret)
        if (answer.statusCode >= 400) expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
        // The limits would end it all too soon; that one command is late now and then does not matter.
        await api.state.flushdb().catch(() => undefined)
        if ((await bob.call('GET', '/api/user')).statusCode === 401) bob = await newcomer()
      }),
      { numRuns: isVaried ? runs : Math.min(runs, 10), endOnFailure: true },
    )
    expect(await snapshot()).toEqual(before)
  },
  runs * msPerRun,
)
