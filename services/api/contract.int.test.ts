import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { User } from '#schemas/account.ts'
import { Stats } from '#schemas/analytics.ts'
import { ApiKey, CreatedApiKey } from '#schemas/api-keys.ts'
import { Preferences } from '#schemas/preferences.ts'
import { ProxyConfig, ProxyTestResult } from '#schemas/proxy-config.ts'
import { RequestLogSummary } from '#schemas/request-logs.ts'
import { RevealedSecureToken, SecureToken } from '#schemas/secure-tokens.ts'
import { createProvider } from '../../deploy/provider/provider.ts'
import { openTestApi, password, Person, type TestApi } from './api.fixture.ts'

const provider = createProvider()
let api: TestApi
let ann: Person

beforeAll(async () => {
  await provider.listen({ port: 0, host: '127.0.0.1' })
  const address = provider.server.address()
  if (typeof address !== 'object' || !address) throw new Error('the provider does not listen')
  api = await openTestApi({ PROVIDER_BASE_URL: `http://127.0.0.1:${address.port}` })
  ann = await new Person(api.app).register()
})
afterAll(async () => {
  await api.close()
  await provider.close()
})

const username = () => ann.username
const idOf = async (list: string): Promise<string> => (await ann.call('GET', list)).json()[0].id
const changed = 'a new long secret'

interface Row {
  call: string
  payload?: () => object
  status: number
  /** What the answer must be; nothing when the specification does not show it and there is nothing to show. */
  answer?: z.ZodType
  fields?: () => object
}

/** Source: specification §7, in its order; the payment rows are with the payments. */
const table: Row[] = [
  {
    call: 'GET /api/user',
    status: 200,
    answer: User,
    fields: () => ({ username: username(), subscriptionStatus: 'free' }),
  },
  { call: 'POST /api/login', payload: () => ({ username: username(), password }), status: 200, answer: User },
  { call: 'GET /api/login', status: 302 },
  {
    call: 'PATCH /api/user/profile',
    payload: () => ({ firstName: 'Ann', lastName: 'Lee', email: ann.email, username: username() }),
    status: 200,
    answer: User,
    fields: () => ({ firstName: 'Ann', lastName: 'Lee', email: ann.email }),
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
  },
  { call: 'GET /api/tokens', status: 200, answer: SecureToken.array() },
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
  { call: 'POST /api/login', payload: () => ({ username: username(), password: changed }), status: 200, answer: User },
  { call: 'DELETE /api/user/account', status: 200 },
  { call: 'POST /api/login', payload: () => ({ username: username(), password: changed }), status: 401 },
  {
    call: 'POST /api/register',
    payload: () => ({ username: username(), email: ann.email, password, firstName: 'Ann', lastName: 'Lee' }),
    status: 201,
    answer: User,
  },
]

test.each(table)('$call answers $status', async ({ call, payload, status, answer, fields }) => {
  const [method, path] = call.split(' ') as ['GET', string]
  const url = path
    .replace('{key}', path.includes('{key}') ? await idOf('/api/keys') : '')
    .replace('{token}', path.includes('{token}') ? await idOf('/api/tokens') : '')
  const response = await ann.call(method, url, payload?.())
  expect(response.statusCode, response.body).toBe(status)
  if (status === 302) expect(response.headers.location).toBe('/auth')
  if (answer) expect(answer.parse(response.json())).toEqual(response.json())
  if (fields) expect(response.json()).toMatchObject(fields())
})
