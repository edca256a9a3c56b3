import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createFakePayPal } from '#tools/fake-paypal/server.ts'
import { createProvider } from '#tools/sample-provider/provider.ts'
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
const webhookId = 'webhook-1'
const paypal = createFakePayPal({ webhookId })
let stack: StackProcess
/** What a browser would keep. */
const cookies = new Map<string, string>()
/** Ids and secrets of answers that later rows need. */
const kept = { key: '', token: '', secret: '', order: '' }

const portOf = (server: { address(): AddressInfo | string | null }) => (server.address() as AddressInfo).port

beforeAll(async () => {
  await provider.listen({ port: 0, host: '127.0.0.1' })
  await paypal.app.listen({ port: 0, host: '127.0.0.1' })
  stack = await startStack({
    env: {
      PROVIDER_BASE_URL: `http://127.0.0.1:${portOf(provider.server)}`,
      PAYPAL_CLIENT_ID: 'stand-in-client',
      PAYPAL_CLIENT_SECRET: 'stand-in-secret',
      PAYPAL_API_URL: `http://127.0.0.1:${portOf(paypal.app.server)}`,
      PAYPAL_WEBHOOK_ID: webhookId,
    },
  })
})
afterAll(async () => {
  await stack?.stop()
  await paypal.app.close()
  await provider.close()
})

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await fetch(stack.url + path, {
    method,
    redirect: 'manual',
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'sec-fetch-site': 'same-origin',
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  })
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
    if (value) cookies.set(name!, value)
    else cookies.delete(name!)
  }
  const text = await answer.text()
  return { status: answer.status, location: answer.headers.get('location'), text, json: () => JSON.parse(text) }
}

const [username, email] = ['ann', 'ann@example.test']
const password = 'correct horse battery'
const changed = 'a new long secret'
const chat = { model: 'gpt-3.5-turbo', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 150 }
const Completion = z.looseObject({
  choices: z.array(z.looseObject({ message: z.looseObject({ content: z.string() }) })),
})
const Models = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) })
const ProviderError = z.looseObject({ error: z.looseObject({ message: z.string(), type: z.string() }) })

interface Row {
  call: string
  payload?: () => object
  headers?: () => Record<string, string>
  status: number
  /** What the answer must be; nothing when there is nothing to show. */
  answer?: z.ZodType
  fields?: () => object
  /** What later rows need of the answer. */
  keep?: (answer: never) => void
}

const tester = () => ({ 'x-sallyport-tester': '1' })
const bearer = () => ({ authorization: `Bearer ${kept.secret}` })

/** Source: product.md 8.4 to 8.11. */
const table: Row[] = [
  { call: 'GET /api/user', status: 401 },
  {
    call: 'POST /api/register',
    payload: () => ({ username, email, password, firstName: 'Ann', lastName: 'Lee' }),
    status: 201,
    answer: User,
  },
  {
    call: 'GET /api/user',
    status: 200,
    answer: User,
    fields: () => ({ username: username, subscriptionStatus: 'free' }),
  },
  { call: 'POST /api/login', payload: () => ({ username: username, password }), status: 200, answer: User },
  { call: 'GET /api/login', status: 302 },
  {
    call: 'PATCH /api/user/profile',
    payload: () => ({ firstName: 'Ann', lastName: 'Lee', email: email, username: username }),
    status: 200,
    answer: User,
    fields: () => ({ firstName: 'Ann', lastName: 'Lee', email: email }),
  },
  {
    call: 'PATCH /api/user/preferences',
    payload: () => ({
      emailNotifications: false,
      securityAlerts: true,
      usageReports: true,
      theme: 'dark',
      timezone: 'Asia/Tokyo',
      language: 'en',
    }),
    status: 200,
    answer: Preferences,
  },
  { call: 'GET /api/user/preferences', status: 200, answer: Preferences, fields: () => ({ timezone: 'Asia/Tokyo' }) },
  { call: 'GET /api/stats', status: 200, answer: Stats },
  { call: 'GET /api/stats?timeRange=7d', status: 200, answer: Stats },
  {
    call: 'POST /api/keys',
    payload: () => ({ name: 'Main', key: 'sk-0123456789abcdef', isPrimary: false }),
    status: 201,
    answer: CreatedApiKey,
    fields: () => ({ key: 'sk-••••••••cdef', isPrimary: true, warning: null }),
    keep: ({ id }: { id: string }) => Object.assign(kept, { key: id }),
  },
  { call: 'GET /api/keys', status: 200, answer: ApiKey.array() },
  { call: 'PUT /api/keys/{key}/primary', status: 200, answer: ApiKey, fields: () => ({ isPrimary: true }) },
  { call: 'GET /api/logs?limit=5', status: 200, answer: RequestLogSummary.array() },
  { call: 'GET /api/logs?limit=1000&timeRange=7d', status: 200, answer: RequestLogSummary.array() },
  {
    call: 'GET /api/logs?limit=20&offset=0&search=chat&status=success&method=POST',
    status: 200,
    answer: RequestLogSummary.array(),
  },
  { call: 'POST /api/proxy/test', status: 200, answer: ProxyTestResult, fields: () => ({ success: true }) },
  {
    call: 'POST /api/tokens',
    payload: () => ({ name: 'Laptop', expiresAt: '2099-12-31' }),
    status: 201,
    answer: SecureToken,
    fields: () => ({ token: expect.stringMatching(/^st_[0-9A-Za-z]{38}$/), expiresAt: '2099-12-31T14:59:59.999Z' }),
    keep: ({ id, token }: { id: string; token: string }) => Object.assign(kept, { token: id, secret: token }),
  },
  { call: 'GET /api/tokens', status: 200, answer: SecureToken.array() },
  {
    call: 'POST /api/proxy/v1/chat/completions',
    payload: () => chat,
    headers: bearer,
    status: 200,
    answer: Completion,
  },
  {
    call: 'POST /api/proxy/v1/chat/completions',
    payload: () => chat,
    headers: tester,
    status: 200,
    answer: Completion,
  },
  { call: 'GET /api/proxy/v1/models', headers: tester, status: 200, answer: Models },
  { call: 'DELETE /api/proxy/v1/models/gpt-0', headers: tester, status: 404, answer: ProviderError },
  {
    call: 'POST /api/proxy/v1/chat/completions',
    payload: () => chat,
    headers: () => ({ ...tester(), 'sec-fetch-site': 'cross-site' }),
    status: 401,
    answer: ProviderError,
  },
  {
    call: 'POST /api/proxy/v1/chat/completions',
    payload: () => chat,
    headers: () => ({ authorization: 'Bearer st_made-up' }),
    status: 401,
    answer: ProviderError,
  },
  {
    call: 'POST /api/proxy/v1/chat/completions',
    payload: () => chat,
    headers: () => ({ ...tester(), 'x-sallyport-account': '0192f0c1-2d3e-7000-8000-000000000000' }),
    status: 409,
    answer: ProviderError,
  },
  { call: 'GET /api/paypal/setup', status: 200, answer: PaymentSetup },
  {
    call: 'POST /api/paypal/order',
    payload: () => ({ amount: '29.00', currency: 'USD', intent: 'CAPTURE' }),
    status: 201,
    answer: PaymentOrder,
    keep: ({ id }: { id: string }) => {
      kept.order = id
      paypal.ledger.approve(id)
    },
  },
  {
    call: 'POST /api/paypal/order/{order}/capture',
    status: 200,
    answer: CapturedOrder,
    fields: () => ({ subscriptionStatus: 'pro' }),
  },
  {
    call: 'PUT /api/tokens/{token}/toggle',
    payload: () => ({ isActive: false }),
    status: 200,
    answer: SecureToken,
    fields: () => ({ isActive: false }),
  },
  { call: 'GET /api/tokens/{token}/reveal', status: 200, answer: RevealedSecureToken },
  { call: 'DELETE /api/tokens/{token}', status: 204 },
  {
    call: 'GET /api/proxy/config',
    status: 200,
    answer: ProxyConfig,
    fields: () => ({ timeout: 30_000, retryAttempts: 3, rateLimitEnabled: true, maxRequestsPerMinute: 60 }),
  },
  {
    call: 'POST /api/proxy/config',
    payload: () => ({
      baseUrl: 'http://127.0.0.2:9',
      timeout: 60_000,
      retryAttempts: 0,
      rateLimitEnabled: false,
      maxRequestsPerMinute: 1,
      currentPassword: password,
    }),
    status: 200,
    answer: ProxyConfig,
    fields: () => ({ baseUrl: 'http://127.0.0.2:9', timeout: 60_000 }),
  },
  { call: 'DELETE /api/keys/{key}', status: 204 },
  {
    call: 'PATCH /api/user/password',
    payload: () => ({ currentPassword: password, newPassword: changed, confirmPassword: changed }),
    status: 200,
    answer: User,
  },
  { call: 'POST /api/logout', status: 204 },
  { call: 'GET /api/user', status: 401 },
  { call: 'POST /api/login', payload: () => ({ username: username, password: changed }), status: 200, answer: User },
  { call: 'DELETE /api/user/account', status: 200 },
  { call: 'POST /api/login', payload: () => ({ username: username, password: changed }), status: 401 },
  {
    call: 'POST /api/register',
    payload: () => ({ username: username, email: email, password, firstName: 'Ann', lastName: 'Lee' }),
    status: 201,
    answer: User,
  },
]

test.each(table)('$call answers $status', async ({ call: line, payload, headers, status, answer, fields, keep }) => {
  const [method, path] = line.split(' ') as [string, string]
  const url = path.replaceAll(/\{(key|token|order)\}/g, (_, name: keyof typeof kept) => kept[name])
  const response = await call(method, url, payload?.(), headers?.())
  expect(response.status, response.text).toBe(status)
  if (status === 302) expect(response.location).toBe('/auth')
  if (answer) expect(answer.parse(response.json())).toEqual(response.json())
  if (fields) expect(response.json()).toMatchObject(fields())
  keep?.(response.json() as never)
})
