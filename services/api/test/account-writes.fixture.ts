import type { LightMyRequestResponse } from 'fastify'
import sharp from 'sharp'
import { password, Person, type TestApi } from './api.fixture.ts'

export interface Owner {
  person: Person
  accountId: string
  keyId: string
  tokenId: string
}

/** A person on Pro with a key and a token. */
export async function newOwner(api: TestApi): Promise<Owner> {
  const person = await new Person(api.app).register()
  const key = await person.call('POST', '/api/keys', { name: 'Main', key: 'sk-0123456789abcdef' })
  const token = await person.call('POST', '/api/tokens', { name: 'Laptop' })
  const accountId = await person.accountId()
  await api.sql`update accounts set plan = 'pro' where id = ${accountId}`
  return { person, accountId, keyId: key.json().id, tokenId: token.json().id }
}

const baseUrl = 'http://127.0.0.2:9'
const person = { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.test', username: 'ann-lee' }
export const photo = () =>
  sharp({ create: { width: 9, height: 9, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()

/** Every kind of call by which an account changes. */
export const writes: [string, (owner: Owner) => Promise<LightMyRequestResponse>][] = [
  ['signing in', ({ person: ann }) => ann.signIn()],
  ['a profile', ({ person: ann }) => ann.call('PATCH', '/api/user/profile', person)],
  ['preferences', ({ person: ann }) => ann.call('PATCH', '/api/user/preferences', { theme: 'dark' })],
  [
    'a password',
    ({ person: ann }) =>
      ann.call('PATCH', '/api/user/password', {
        currentPassword: password,
        newPassword: 'a new long secret',
        confirmPassword: 'a new long secret',
      }),
  ],
  [
    'a new picture',
    async ({ person: ann }) => ann.call('PUT', '/api/user/photo', await photo(), { 'content-type': 'image/png' }),
  ],
  ['a picture taken away', ({ person: ann }) => ann.call('DELETE', '/api/user/photo')],
  ['two-factor', ({ person: ann }) => ann.call('POST', '/api/user/two-factor/setup', { currentPassword: password })],
  ['a new key', ({ person: ann }) => ann.call('POST', '/api/keys', { name: 'Backup', key: 'sk-0123456789abcdef' })],
  ['a primary key', ({ person: ann, keyId }) => ann.call('PUT', `/api/keys/${keyId}/primary`)],
  ['a key taken away', ({ person: ann, keyId }) => ann.call('DELETE', `/api/keys/${keyId}`)],
  ['a new token', ({ person: ann }) => ann.call('POST', '/api/tokens', { name: 'Phone' })],
  ['a changed token', ({ person: ann, tokenId }) => ann.call('PATCH', `/api/tokens/${tokenId}`, { name: 'Phone' })],
  [
    'a token switched off',
    ({ person: ann, tokenId }) => ann.call('PUT', `/api/tokens/${tokenId}/toggle`, { isActive: false }),
  ],
  ['a token revealed', ({ person: ann, tokenId }) => ann.call('GET', `/api/tokens/${tokenId}/reveal`)],
  ['a token taken away', ({ person: ann, tokenId }) => ann.call('DELETE', `/api/tokens/${tokenId}`)],
  [
    'the configuration',
    ({ person: ann }) => ann.call('POST', '/api/proxy/config', { baseUrl, currentPassword: password }),
  ],
]
