import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newOwner } from './account-writes.fixture.ts'
import { password, testApi, type TestUser } from './api.fixture.ts'

const [lost, kept] = [1, 2]
const api = await testApi({ MASTER_KEYS: `${lost}:lost,${kept}:${randomBytes(32).toString('base64')}` })

/** As if the secrets of an account were from before the loss. */
async function loseSecrets(accountId: string) {
  for (const [table, column] of [
    ['api_keys', 'sealed_key'],
    ['secure_tokens', 'sealed_token'],
    ['two_factor', 'sealed_secret'],
  ] as const) {
    const name = api.sql(column)
    await api.sql`
      update ${api.sql(table)} set ${name} = set_byte(${name}, 1, ${lost}) where account_id = ${accountId}`
  }
}

const actions = async (user: TestUser) =>
  (await user.call('GET', '/api/user/audit')).json().map(({ action }: { action: string }) => action)

test('a token that can no longer be read is rotated', async () => {
  const { user, accountId, tokenId } = await newOwner(api)
  await loseSecrets(accountId)
  const reveal = () => user.call('GET', `/api/tokens/${tokenId}/reveal`)
  expect((await reveal()).json()).toMatchObject({ status: 410, code: 'secret-lost' })
  expect(await actions(user)).not.toContain('secure-token-revealed')
  const { token } = (await user.call('POST', `/api/tokens/${tokenId}/rotate`, { graceHours: 1 })).json()
  expect((await reveal()).json()).toEqual({ token })
  expect(await actions(user)).toContain('secure-token-revealed')
})

test('an API key that can no longer be read is not active, and is added again', async () => {
  const { user, accountId, keyId } = await newOwner(api)
  await loseSecrets(accountId)
  expect((await user.call('GET', '/api/keys')).json()).toMatchObject([{ id: keyId, isActive: false }])
  const run = async (path: string) => (await user.call('POST', path)).json()
  const message = 'This API key can no longer be read. Add it again.'
  expect(await run(`/api/keys/${keyId}/test`)).toEqual({ success: false, message })
  expect(await run('/api/proxy/test')).toEqual({ success: false, message: 'No API key is active. Add one.' })
  await user.call('POST', '/api/keys', { name: 'Again', key: 'sk-0123456789abcdef' })
  expect((await run('/api/proxy/test')).message).toContain('refused the connection')
})

test('if codes of an app can no longer be checked, a recovery code signs in', async () => {
  const user = await api.register()
  const { recoveryCodes } = await user.enableTwoFactor()
  await loseSecrets(await user.accountId())
  expect((await user.signIn(password, '000000')).json()).toMatchObject({ status: 410, code: 'secret-lost' })
  expect((await user.signIn(password, recoveryCodes[0])).statusCode).toBe(200)
})

test('a set-up of two-factor sign-in whose secret can no longer be read is begun again', async () => {
  const user = await api.register()
  await user.call('POST', '/api/user/two-factor/setup', { currentPassword: password })
  await loseSecrets(await user.accountId())
  const enabled = await user.call('POST', '/api/user/two-factor/enable', { code: '000000' })
  expect(enabled.json()).toMatchObject({ status: 410, code: 'secret-lost' })
  expect((await user.enableTwoFactor()).recoveryCodes).toHaveLength(10)
})
