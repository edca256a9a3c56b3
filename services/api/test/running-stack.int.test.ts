import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createFakePayPal, fakeAccount } from '#tools/fake-paypal/server.ts'
import { childPid } from '#tools/launcher/start.fixture.ts'
import { createProvider } from '#tools/sample-provider/provider.ts'
import { openAccount } from '#tools/stack/account.ts'
import { type StackProcess, startStack } from '#tools/stack/launched-stack.ts'
import { User } from '#schemas/account.ts'
import { Stats } from '#schemas/analytics.ts'
import { ApiKey, CreatedApiKey } from '#schemas/api-keys.ts'
import { CapturedOrder, PaymentOrder, PaymentSetup } from '#schemas/billing.ts'
import { Preferences } from '#schemas/preferences.ts'
import { ProxyConfig, ProxyTestResult } from '#schemas/proxy-config.ts'
import { RequestLogSummary } from '#schemas/request-logs.ts'
import { RevealedSecureToken, SecureToken } from '#schemas/secure-tokens.ts'

const provider = createProvider()
const paypal = createFakePayPal()
/** All tests use it, because a start takes long. */
let stack: StackProcess
const cookies = new Map<string, string>()

beforeAll(async () => {
  stack = await startStack({
    env: {
      PROVIDER_BASE_URL: await provider.listen({ port: 0, host: '127.0.0.1' }),
      ...fakeAccount,
      PAYPAL_API_URL: await paypal.app.listen({ port: 0, host: '127.0.0.1' }),
      PLAN_LIMITS: JSON.stringify({ free: { requestsPerDay: null } }),
    },
  })
})
afterAll(async () => {
  await stack?.stop()
  await paypal.app.close()
  await provider.close()
})

interface Expected<Body extends z.ZodType> {
  payload?: object
  headers?: Record<string, string>
  /** 200 by default. */
  status?: number
  body?: Body
  fields?: object
}

/** @returns the body of the response, which must match the schema exactly and contain the fields */
async function call<Body extends z.ZodType = z.ZodUnknown>(line: string, expected: Expected<Body> = {}) {
  const { payload, headers, status = 200, body, fields } = expected
  const [method, path] = line.split(' ')
  const response = await fetch(stack.url + path, {
    method,
    redirect: 'manual',
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'sec-fetch-site': 'same-origin',
      ...(payload && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: payload && JSON.stringify(payload),
  })
  for (const cookie of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
    if (value) cookies.set(name!, value)
    else cookies.delete(name!)
  }
  const text = await response.text()
  expect(response.status, `${line}: ${text}`).toBe(status)
  if (status === 302) expect(response.headers.get('location')).toBe('/auth')
  const json = text ? JSON.parse(text) : undefined
  if (body) expect(body.parse(json), line).toEqual(json)
  if (fields) expect(json, line).toMatchObject(fields)
  return json
}

const profile = { username: 'ann', email: 'ann@example.test', firstName: 'Ann', lastName: 'Lee' }
const { username } = profile
const password = 'correct horse battery'
const changed = 'a new long secret'
const Completion = z.looseObject({
  choices: z.array(z.looseObject({ message: z.looseObject({ content: z.string() }) })),
})
const Models = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) })
const ProviderError = z.looseObject({ error: z.looseObject({ message: z.string(), type: z.string() }) })

/** Source: product.md 8.4 to 8.11. */
test('every request has the specified response', async () => {
  await call('GET /api/user', { status: 401 })
  await call('POST /api/register', { payload: { ...profile, password }, status: 201, body: User })
  await call('GET /api/user', { body: User, fields: { username, subscriptionStatus: 'free' } })
  await call('POST /api/login', { payload: { username, password }, body: User })
  await call('GET /api/login', { status: 302 })
  await call('PATCH /api/user/profile', { payload: profile, body: User, fields: profile })
  const preferences = { emailNotifications: false, securityAlerts: true, usageReports: true, theme: 'dark' }
  const locale = { timezone: 'Asia/Tokyo', language: 'en' }
  await call('PATCH /api/user/preferences', { payload: { ...preferences, ...locale }, body: Preferences })
  await call('GET /api/user/preferences', { body: Preferences, fields: { timezone: 'Asia/Tokyo' } })
  await call('GET /api/stats', { body: Stats })
  await call('GET /api/stats?timeRange=7d', { body: Stats })

  const key = await call('POST /api/keys', {
    payload: { name: 'Main', key: 'sk-0123456789abcdef', isPrimary: false },
    status: 201,
    body: CreatedApiKey,
    fields: { key: 'sk-••••••••cdef', isPrimary: true, warning: null },
  })
  await call('GET /api/keys', { body: ApiKey.array() })
  await call(`PUT /api/keys/${key.id}/primary`, { body: ApiKey, fields: { isPrimary: true } })
  await call('GET /api/logs?limit=5', { body: RequestLogSummary.array() })
  await call('GET /api/logs?limit=1000&timeRange=7d', { body: RequestLogSummary.array() })
  const filters = 'limit=20&offset=0&search=chat&status=success&method=POST'
  await call(`GET /api/logs?${filters}`, { body: RequestLogSummary.array() })
  await call('POST /api/proxy/test', { body: ProxyTestResult, fields: { success: true } })
  const token = await call('POST /api/tokens', {
    payload: { name: 'Laptop', expiresAt: '2099-12-31' },
    status: 201,
    body: SecureToken,
    fields: { token: expect.stringMatching(/^st_[0-9A-Za-z]{38}$/), expiresAt: '2099-12-31T14:59:59.999Z' },
  })
  await call('GET /api/tokens', { body: SecureToken.array() })

  const chat = 'POST /api/proxy/v1/chat/completions'
  const payload = { model: 'gpt-3.5-turbo', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 150 }
  const tester = { 'x-sallyport-tester': '1' }
  await call(chat, { payload, headers: { authorization: `Bearer ${token.token}` }, body: Completion })
  await call(chat, { payload, headers: tester, body: Completion })
  await call('GET /api/proxy/v1/models', { headers: tester, body: Models })
  await call('DELETE /api/proxy/v1/models/gpt-0', { headers: tester, status: 404, body: ProviderError })
  const crossSite = { ...tester, 'sec-fetch-site': 'cross-site' }
  await call(chat, { payload, headers: crossSite, status: 401, body: ProviderError })
  const invalidToken = { authorization: 'Bearer st_made-up' }
  await call(chat, { payload, headers: invalidToken, status: 401, body: ProviderError })
  const otherAccount = { ...tester, 'x-sallyport-account': '0192f0c1-2d3e-7000-8000-000000000000' }
  await call(chat, { payload, headers: otherAccount, status: 409, body: ProviderError })

  await call('GET /api/paypal/setup', { body: PaymentSetup })
  const requested = { amount: '29.00', currency: 'USD', intent: 'CAPTURE' }
  const order = await call('POST /api/paypal/order', { payload: requested, status: 201, body: PaymentOrder })
  paypal.ledger.approve(order.id)
  const captured = { body: CapturedOrder, fields: { subscriptionStatus: 'pro' } }
  await call(`POST /api/paypal/order/${order.id}/capture`, captured)
  const inactive = { isActive: false }
  await call(`PUT /api/tokens/${token.id}/toggle`, { payload: inactive, body: SecureToken, fields: inactive })
  await call(`GET /api/tokens/${token.id}/reveal`, { body: RevealedSecureToken })
  await call(`DELETE /api/tokens/${token.id}`, { status: 204 })

  const defaults = { timeout: 30_000, retryAttempts: 3, rateLimitEnabled: true, maxRequestsPerMinute: 60 }
  await call('GET /api/proxy/config', { body: ProxyConfig, fields: defaults })
  const config = { baseUrl: 'http://127.0.0.2:9', timeout: 60_000, retryAttempts: 0, rateLimitEnabled: false }
  await call('POST /api/proxy/config', {
    payload: { ...config, maxRequestsPerMinute: 1, currentPassword: password },
    body: ProxyConfig,
    fields: config,
  })
  await call(`DELETE /api/keys/${key.id}`, { status: 204 })

  const newPassword = { currentPassword: password, newPassword: changed, confirmPassword: changed }
  await call('PATCH /api/user/password', { payload: newPassword, body: User })
  await call('POST /api/logout', { status: 204 })
  await call('GET /api/user', { status: 401 })
  await call('POST /api/login', { payload: { username, password: changed }, body: User })
  await call('DELETE /api/user/account')
  await call('POST /api/login', { payload: { username, password: changed }, status: 401 })
  await call('POST /api/register', { payload: { ...profile, password }, status: 201, body: User })
})

/** True if a process of the stack has loaded the code that hashes passwords. */
async function canHash(name: string): Promise<boolean> {
  return (await readFile(`/proc/${await childPid(stack, name)}/maps`, 'utf8')).includes('argon2')
}

test('the process that serves proxied requests does not load the code that hashes passwords', async () => {
  expect(await canHash('api,worker')).toBe(true)
  expect(await canHash('proxy')).toBe(false)
})

/** 200 parallel guesses of different names from one address. */
const storm = () =>
  Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const response = await fetch(`${stack.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: stack.url },
        body: JSON.stringify({ username: `nobody-${at}`, password: 'not the password' }),
      })
      await response.arrayBuffer()
      return response.status
    }),
  )

test('while passwords are guessed in a storm, guesses are turned away and proxied requests do not wait for them', async () => {
  const account = await openAccount(stack.url, { username: 'sender' })
  const { token } = await account.newToken('load')
  const over = new AbortController()
  const guesses = storm().finally(() => over.abort())
  let sent = 0
  for (; !over.signal.aborted; sent += 1) {
    const response = await fetch(`${stack.url}/api/proxy/v1/models`, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    expect(response.status).toBe(200)
  }
  const statuses = await guesses

  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThan(0)
  // Behind the guesses in a queue, each would take a good part of the storm.
  expect(sent).toBeGreaterThan(20)
})
