import type { LightMyRequestResponse } from 'fastify'
import sharp from 'sharp'
import { password, type TestApi, type TestUser } from './api.fixture.ts'

export interface Owner {
  user: TestUser
  accountId: string
  keyId: string
  tokenId: string
  priceId: string
  viewId: string
  alertId: string
  webhookId: string
}

export const modelPrice = { pattern: 'mistral-*', input: 0.4, cachedInput: null, output: 2, perRequest: null }

export const newKey = { name: 'Main', key: 'sk-0123456789abcdef' }

export const newView = { screen: 'request-logs', name: 'Rejected', search: { status: 'error', tag: ['customer:acme'] } }

export const newWebhook = { name: 'Pager', url: 'http://127.0.0.2:9/hook' }

export const newAlert = {
  name: 'Errors',
  measure: 'errorRate',
  comparison: 'over',
  threshold: 5,
  windowMinutes: 10,
  filters: { status: 'all', method: 'all' },
  group: null,
  enabled: true,
  mail: false,
  webhookIds: [],
}

/** A user on Pro with one resource of each kind. */
export async function newOwner(api: TestApi): Promise<Owner> {
  const user = await api.register('pro')
  const key = await user.call('POST', '/api/keys', newKey)
  const token = await user.call('POST', '/api/tokens', { name: 'Laptop' })
  const price = await user.call('POST', '/api/model-prices', modelPrice)
  const view = await user.call('POST', '/api/views', newView)
  const alert = await user.call('POST', '/api/alerts', newAlert)
  const webhook = await user.call('POST', '/api/webhooks', newWebhook)
  const accountId = await user.accountId()
  const responses = [key, token, price, view, alert, webhook]
  const [keyId, tokenId, priceId, viewId, alertId, webhookId] = responses.map((response) => response.json().id)
  return { user, accountId, keyId, tokenId, priceId, viewId, alertId, webhookId }
}

const baseUrl = 'http://127.0.0.2:9'
const newProfile = { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.test', username: 'ann-lee' }
export const photo = () =>
  sharp({ create: { width: 9, height: 9, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()

/** Every kind of request that changes an account. */
export const writes: [string, (owner: Owner) => Promise<LightMyRequestResponse>][] = [
  ['signing in', ({ user: ann }) => ann.signIn()],
  ['a profile', ({ user: ann }) => ann.call('PATCH', '/api/user/profile', newProfile)],
  ['preferences', ({ user: ann }) => ann.call('PATCH', '/api/user/preferences', { theme: 'dark' })],
  [
    'a password',
    ({ user: ann }) =>
      ann.call('PATCH', '/api/user/password', {
        currentPassword: password,
        newPassword: 'a new long secret',
        confirmPassword: 'a new long secret',
      }),
  ],
  [
    'a new picture',
    async ({ user: ann }) => ann.call('PUT', '/api/user/photo', await photo(), { 'content-type': 'image/png' }),
  ],
  ['a picture taken away', ({ user: ann }) => ann.call('DELETE', '/api/user/photo')],
  ['two-factor', ({ user: ann }) => ann.call('POST', '/api/user/two-factor/setup', { currentPassword: password })],
  ['a new key', ({ user: ann }) => ann.call('POST', '/api/keys', { name: 'Backup', key: 'sk-0123456789abcdef' })],
  ['a primary key', ({ user: ann, keyId }) => ann.call('PUT', `/api/keys/${keyId}/primary`)],
  ['a key taken away', ({ user: ann, keyId }) => ann.call('DELETE', `/api/keys/${keyId}`)],
  ['a new token', ({ user: ann }) => ann.call('POST', '/api/tokens', { name: 'Phone' })],
  ['a changed token', ({ user: ann, tokenId }) => ann.call('PATCH', `/api/tokens/${tokenId}`, { name: 'Phone' })],
  [
    'a token switched off',
    ({ user: ann, tokenId }) => ann.call('PUT', `/api/tokens/${tokenId}/toggle`, { isActive: false }),
  ],
  ['a token revealed', ({ user: ann, tokenId }) => ann.call('GET', `/api/tokens/${tokenId}/reveal`)],
  ['a token rotated', ({ user: ann, tokenId }) => ann.call('POST', `/api/tokens/${tokenId}/rotate`, { graceHours: 1 })],
  [
    'bodies of a token logged',
    ({ user: ann, tokenId }) => ann.call('POST', `/api/tokens/${tokenId}/log-bodies`, { for: 'day' }),
  ],
  ['a token taken away', ({ user: ann, tokenId }) => ann.call('DELETE', `/api/tokens/${tokenId}`)],
  [
    'the configuration',
    ({ user: ann }) => ann.call('POST', '/api/proxy/config', { baseUrl, currentPassword: password }),
  ],
  ['a new price', ({ user: ann }) => ann.call('POST', '/api/model-prices', { ...modelPrice, pattern: 'llama-*' })],
  [
    'a changed price',
    ({ user: ann, priceId }) => ann.call('PUT', `/api/model-prices/${priceId}`, { ...modelPrice, input: 1 }),
  ],
  ['a price taken away', ({ user: ann, priceId }) => ann.call('DELETE', `/api/model-prices/${priceId}`)],
  ['a new view', ({ user: ann }) => ann.call('POST', '/api/views', { ...newView, name: 'Slow' })],
  ['a changed view', ({ user: ann, viewId }) => ann.call('PUT', `/api/views/${viewId}`, { ...newView, name: 'Slow' })],
  ['a view taken away', ({ user: ann, viewId }) => ann.call('DELETE', `/api/views/${viewId}`)],
  ['a new alert', ({ user: ann }) => ann.call('POST', '/api/alerts', newAlert)],
  ['a changed alert', ({ user: ann, alertId }) => ann.call('PATCH', `/api/alerts/${alertId}`, { threshold: 9 })],
  ['an alert taken away', ({ user: ann, alertId }) => ann.call('DELETE', `/api/alerts/${alertId}`)],
  ['a new webhook', ({ user: ann }) => ann.call('POST', '/api/webhooks', newWebhook)],
  ['a webhook taken away', ({ user: ann, webhookId }) => ann.call('DELETE', `/api/webhooks/${webhookId}`)],
]
