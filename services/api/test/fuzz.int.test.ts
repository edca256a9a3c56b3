import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { Secret, TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createFakePayPal } from '#tools/fake-paypal/server.ts'
import { signatureHeaders } from '#tools/fake-paypal/signature.ts'
import { type BegunAnswer, openTestApi, password, Person } from './api.fixture.ts'
import { type Input, inputOf, Operation } from './arbitrary-input.fixture.ts'
import { createResources } from './resources.fixture.ts'

/** Random inputs a route, and one that takes no input; `FUZZ_RUNS=10000` for the long run. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 50)
const runsWithoutInput = Number(process.env['FUZZ_RUNS'] ?? 10)
const msPerRun = 1_000

/** Words that only the other account has. */
const secret = 'canary'
const webhookId = 'webhook-1'

const paypal = createFakePayPal({ webhookId })
await paypal.app.listen({ host: '127.0.0.1', port: 0 })
const api = await openTestApi({
  PAYPAL_CLIENT_ID: 'stand-in-client',
  PAYPAL_CLIENT_SECRET: 'stand-in-secret',
  PAYPAL_API_URL: `http://127.0.0.1:${(paypal.app.server.address() as AddressInfo).port}`,
  PAYPAL_WEBHOOK_ID: webhookId,
  SMTP_URL: 'smtp://127.0.0.1:9',
  PUBLIC_URL: 'http://127.0.0.1',
})
const ann = await new Person(api.app, `${secret}-ann`).register()
const operator = await new Person(api.app).register()
await api.sql`update accounts set is_operator = true where username = ${operator.username}`
const { resources, close } = createResources(api, paypal, (person) => (person === ann ? secret : 'plain'))
afterAll(async () => {
  await close()
  await api.close()
  await paypal.app.close()
})

const { paths } = z
  .object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })
  .parse((await api.app.inject('/api/openapi.json')).json())
const operations = Object.entries(paths)
  .filter(([path]) => !path.startsWith('/api/proxy/v1/'))
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })))

for (const idOf of Object.values(resources)) await idOf(ann)
const snapshot = () =>
  Promise.all(
    ['user', 'keys', 'tokens', 'proxy/config', 'user/preferences', 'user/two-factor', 'user/audit', 'billing'].map(
      async (path) => (await ann.call('GET', `/api/${path}`)).json(),
    ),
  )

async function enableTwoFactor(person: Person): Promise<void> {
  const setup = await person.call('POST', '/api/user/two-factor/setup', { currentPassword: password })
  const code = new TOTP({ secret: Secret.fromBase32(setup.json().secret) }).generate()
  await person.call('POST', '/api/user/two-factor/enable', { code })
}

/** Somebody who may call a path, with a key and a log. */
async function newcomer(path: string, hasTwoFactor: boolean): Promise<Person> {
  if (path.startsWith('/api/pipeline')) return operator
  const person = await new Person(api.app).register()
  await resources['/api/keys/']!(person)
  await resources['/api/logs/']!(person)
  if (hasTwoFactor) await enableTwoFactor(person)
  if (path === '/api/tokens') await api.sql`update accounts set plan = 'enterprise' where username = ${person.username}`
  return person
}

/** How to find what a path names, if it names something. */
const finderFor = (path: string) =>
  path.includes('{') ? Object.entries(resources).find(([start]) => path.startsWith(start))?.[1] : undefined

const parameter = /\{(\w+)\}/g

/** The address that an input asks for. */
async function urlOf(path: string, { params, query, whose }: Input, caller: Person): Promise<string> {
  const idOf = finderFor(path)
  const id = idOf && whose !== 'made up' ? await idOf(whose === 'own' ? caller : ann) : undefined
  const url = path.replaceAll(parameter, (_, name: string) => encodeURIComponent(id ?? params[name] ?? ''))
  return query ? `${url}?${query}` : url
}

/** A message of the payment provider about an order of the caller's, signed unless it is said to be another's. */
async function messageOf({ body, whose }: Input, caller: Person) {
  const order = await resources['/api/paypal/']!(caller)
  const { capture } = paypal.ledger.get(order)
  const payload = String(body?.payload)
    .replaceAll('{order}', order)
    .replaceAll('{capture}', capture?.id ?? order)
  const isSigned = whose !== 'of another'
  return {
    payload,
    headers: { 'content-type': 'application/json', ...(isSigned && signatureHeaders(webhookId, payload)) },
  }
}

const withName = (payload: unknown, { username }: Person) => {
  const body: unknown = JSON.parse(String(payload))
  return JSON.stringify(typeof body === 'object' ? { ...body, username } : body)
}

async function ask(method: string, path: string, input: Input, caller: Person): Promise<BegunAnswer> {
  const url = await urlOf(path, input, caller)
  if (path === '/api/logs/tail') return caller.open(url, input.headers)
  const { payload, headers } =
    path === '/api/paypal/webhook'
      ? await messageOf(input, caller)
      : { payload: input.body?.payload, headers: input.body && { 'content-type': input.body.type } }
  // A sign-in by a name that exists goes further than one that does not.
  if (path === '/api/login' && payload && input.whose === 'own')
    return caller.call('POST', url, withName(payload, caller), headers)
  return caller.call(method.toUpperCase() as 'GET', url, payload, headers)
}

const cases = operations.flatMap(({ method, path, operation }) =>
  (/^\/api\/(?:login|user)/.test(path) ? [false, true] : [false]).map((hasTwoFactor) => ({
    name: `${method} ${path}${hasTwoFactor ? ', with two-factor on,' : ''}`,
    method,
    path,
    operation,
    hasTwoFactor,
  })),
)

test.each(cases)(
  'row 66: $name answers whatever it is sent, without a failure and with nothing of others',
  async ({ method, path, operation, hasTwoFactor }) => {
    const before = await snapshot()
    let bob = await newcomer(path, hasTwoFactor)
    const namesOthers = finderFor(path) && !path.startsWith('/api/pipeline')
    const takesInput = operation.parameters.length > 0 || operation.requestBody !== undefined
    await fc.assert(
      fc.asyncProperty(inputOf(operation), async (input) => {
        const answer = await ask(method, path, input, bob)
        expect(answer.statusCode, answer.body).toBeLessThan(500)
        expect(answer.body).not.toMatch(/\n {4}at |node_modules|\.ts:\d/)
        expect(answer.body).not.toContain(secret)
        if (answer.statusCode < 400) expect(answer.headers['cache-control']).toBe('no-store')
        if (namesOthers && input.whose === 'of another') expect([400, 404]).toContain(answer.statusCode)
        if (answer.statusCode >= 400) expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
        // The limits would end it all too soon; that one command is late now and then does not matter.
        await api.state.flushdb().catch(() => undefined)
        if ((await bob.call('GET', '/api/user')).statusCode === 401) bob = await newcomer(path, hasTwoFactor)
      }),
      { numRuns: takesInput ? runs : runsWithoutInput, endOnFailure: true },
    )
    expect(await snapshot()).toEqual(before)
  },
  runs * msPerRun,
)
