import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createFakePayPal, fakeAccount } from '#tools/fake-paypal/server.ts'
import { signatureHeaders } from '#tools/fake-paypal/signature.ts'
import { type StartedResponse, openTestApi, type TestUser } from './api.fixture.ts'
import { type Input, inputOf } from './arbitrary-input.fixture.ts'
import { controlPlaneOperations } from './operations.fixture.ts'
import { createResources } from './resources.fixture.ts'

/** Runs of a route with and without input; set `FUZZ_RUNS=10000` for a long run. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 12)
const runsWithoutInput = Number(process.env['FUZZ_RUNS'] ?? 3)
/** Long enough for a busy machine. */
const msPerRun = 5_000

/** Text that belongs to the other account only. */
const secret = 'canary'

const paypal = createFakePayPal()
const api = await openTestApi({
  ...fakeAccount,
  PAYPAL_API_URL: await paypal.app.listen({ host: '127.0.0.1', port: 0 }),
  SMTP_URL: 'smtp://127.0.0.1:9',
  PUBLIC_URL: 'http://127.0.0.1',
})
const ann = await api.user(`${secret}-ann`).register()
const operator = await api.register()
await api.sql`update accounts set is_operator = true where username = ${operator.username}`
const { resources, close } = createResources(api, paypal, (user) => (user === ann ? secret : 'plain'))
afterAll(async () => {
  await close()
  await api.close()
  await paypal.app.close()
})

const operations = await controlPlaneOperations(api)

for (const idOf of Object.values(resources)) await idOf(ann)
const snapshot = () =>
  Promise.all(
    [
      'user',
      'keys',
      'tokens',
      'model-prices',
      'views',
      'alerts',
      'webhooks',
      'proxy/config',
      'user/preferences',
      'user/two-factor',
      'user/audit',
      'billing',
    ].map(async (path) => (await ann.call('GET', `/api/${path}`)).json()),
  )

const users = new Map<boolean, TestUser>()

/** A signed-in user with a key, and with a log for a path of logs; a new one once the last one is gone or signed out. */
async function signedInUser(path: string, hasTwoFactor: boolean): Promise<TestUser> {
  if (path.startsWith('/api/pipeline')) return operator
  let user = users.get(hasTwoFactor)
  if (!user || (await user.call('GET', '/api/user')).statusCode === 401) {
    user = await api.register()
    await resources['/api/keys/']!(user)
    if (hasTwoFactor) await user.enableTwoFactor()
    users.set(hasTwoFactor, user)
  }
  if (/^\/api\/(?:logs|stats|analytics)/.test(path)) await resources['/api/logs/']!(user)
  if (path === '/api/tokens') await api.sql`update accounts set plan = 'enterprise' where username = ${user.username}`
  return user
}

/** Finds or creates the resource that a path names, if any. */
const finderFor = (path: string) =>
  path.includes('{') ? Object.entries(resources).find(([start]) => path.startsWith(start))?.[1] : undefined

const parameter = /\{(\w+)\}/g

async function urlOf(path: string, { params, query, owner }: Input, user: TestUser): Promise<string> {
  const idOf = finderFor(path)
  const id = idOf && owner !== 'none' ? await idOf(owner === 'own account' ? user : ann) : undefined
  const url = path.replaceAll(parameter, (_, name: string) => encodeURIComponent(id ?? params[name] ?? ''))
  return query ? `${url}?${query}` : url
}

/** A webhook about an order of the user, signed unless the input has another owner. */
async function messageOf({ body, owner }: Input, user: TestUser) {
  const order = await resources['/api/paypal/']!(user)
  const { capture } = paypal.ledger.get(order)
  const payload = String(body?.payload)
    .replaceAll('{order}', order)
    .replaceAll('{capture}', capture?.id ?? order)
  const isSigned = owner !== 'other account'
  return {
    payload,
    headers: {
      'content-type': 'application/json',
      ...(isSigned && signatureHeaders(fakeAccount.PAYPAL_WEBHOOK_ID, payload)),
    },
  }
}

const withName = (payload: unknown, { username }: TestUser) => {
  const body: unknown = JSON.parse(String(payload))
  return JSON.stringify(typeof body === 'object' ? { ...body, username } : body)
}

async function ask(
  method: Parameters<TestUser['call']>[0],
  path: string,
  input: Input,
  user: TestUser,
): Promise<StartedResponse> {
  const url = await urlOf(path, input, user)
  if (path === '/api/logs/tail') return user.open(url, input.headers)
  const { payload, headers } =
    path === '/api/paypal/webhook'
      ? await messageOf(input, user)
      : { payload: input.body?.payload, headers: input.body && { 'content-type': input.body.type } }
  // Some sign-ins use an existing name, to get past the lookup.
  if (path === '/api/login' && payload && input.owner === 'own account')
    return user.call('POST', url, withName(payload, user), headers)
  return user.call(method, url, payload, headers)
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

const before = await snapshot()

test.each(cases)(
  'row 66: $name handles any input, without a failure or data of other accounts',
  async ({ method, path, operation, hasTwoFactor }) => {
    let bob = await signedInUser(path, hasTwoFactor)
    const namesOthers = finderFor(path) && !path.startsWith('/api/pipeline')
    const takesInput = operation.parameters.length > 0 || operation.requestBody !== undefined
    await fc.assert(
      fc.asyncProperty(inputOf(operation), async (input) => {
        const response = await ask(method, path, input, bob)
        expect(response.statusCode, response.body).toBeLessThan(500)
        expect(response.body).not.toMatch(/\n {4}at |node_modules|\.ts:\d/)
        expect(response.body).not.toContain(secret)
        if (response.statusCode < 400) expect(response.headers['cache-control']).toBe('no-store')
        if (namesOthers && input.owner === 'other account') expect([400, 404]).toContain(response.statusCode)
        if (response.statusCode >= 400) expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
        // Resets the rate limits; occasional failures do not matter.
        await api.state.flushdb().catch(() => undefined)
        if (method !== 'GET' && response.statusCode < 400) bob = await signedInUser(path, hasTwoFactor)
      }),
      { numRuns: takesInput ? runs : runsWithoutInput, endOnFailure: true },
    )
    // What a GET has changed is noticed after the next of the others.
    if (method !== 'GET') expect(await snapshot()).toEqual(before)
  },
  runs * msPerRun,
)
